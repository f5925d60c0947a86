//! The library's own variables, through MPI_T: written, read back, and restored.

use models::forced::{Setting, VariableValue};
use mpi::ffi;
use std::ffi::{CString, c_char, c_int};

/// Variables as they were before they were written. They are restored when this is dropped.
pub(super) struct WrittenVariables {
    before: Vec<(String, c_int)>,
}

impl WrittenVariables {
    /// Writes a setting and reads it back.
    ///
    /// # Errors
    /// Says which variable the library does not have, does not let be written, or has not taken.
    pub(super) fn new(setting: &Setting) -> Result<(WrittenVariables, String), String> {
        start()?;
        for (name, value) in &setting.required {
            let found = Variable::find(name)?.read()?;
            if found != *value {
                return Err(format!("the library's {name} is {found}, expected {value}: it is set before MPI_Init"));
            }
        }
        let (description, enumerated) = described(index(&setting.variable)?);
        let number = setting.number.by(&description, &enumerated).map_err(|why| {
            format!(
                "the number of {} in the library's {} is not known: its description is read (MPI_T), and {why}",
                setting.name, setting.variable
            )
        })?;
        if let Some(at_start) = &setting.at_start {
            return Ok((WrittenVariables { before: Vec::new() }, started_with(setting.name, at_start)?));
        }
        let mut written = WrittenVariables { before: Vec::new() };
        let mut said = Vec::new();
        let chosen = (setting.variable.clone(), number);
        for (name, value) in setting.further.iter().chain([&chosen]) {
            let variable = Variable::find(name)?;
            let before = variable.read()?;
            // A variable that may not be written may have been set beforehand.
            if before != *value {
                variable.write(*value)?;
                written.before.push((name.clone(), before));
            }
            let found = variable.read()?;
            if found != *value {
                return Err(format!("the library's {name} is still {found} after {value} was written to it"));
            }
            said.push(format!("{name} = {found}"));
        }
        said.extend(setting.required.iter().map(|(name, value)| format!("{name} = {value}")));
        let described = match setting.number {
            VariableValue::Known(_) | VariableValue::Ranged(_) => "",
            VariableValue::Enumerated(_) => ", by the name in its enumeration",
            VariableValue::Described(_) => ", its place in the description",
        };
        let said = said.join(", ");
        Ok((written, format!("{} ({said}, read back through MPI_T{described})", setting.name)))
    }
}

impl Drop for WrittenVariables {
    fn drop(&mut self) {
        for (name, value) in self.before.drain(..).rev() {
            // It could be written a moment ago.
            let _ = Variable::find(&name).and_then(|variable| variable.write(value));
        }
    }
}

/// Checks that this process started with the value of a variable that the library reads at its start. Returns the
/// sentence that says what it makes the library use.
///
/// # Errors
///
/// Says what the variable is instead.
fn started_with(algorithm: &str, (name, value): &(String, String)) -> Result<String, String> {
    match std::env::var(name) {
        Ok(found) if found == *value => Ok(format!(
            "{algorithm} ({name} = {value} when the ranks started, within the range of the library's description through MPI_T)"
        )),
        found => Err(format!("{name} is {} in the ranks' environment, expected {value}", found.unwrap_or_default())),
    }
}

/// Starts the tools interface, once in a process.
fn start() -> Result<(), String> {
    use std::sync::OnceLock;
    static STARTED: OnceLock<bool> = OnceLock::new();
    let begin = || {
        let mut provided = 0;
        // SAFETY: the interface may be started at any time, and the place for the answer lives through the call.
        unsafe { ffi::MPI_T_init_thread(ffi::RSMPI_THREAD_FUNNELED, &raw mut provided) == 0 }
    };
    if *STARTED.get_or_init(begin) { Ok(()) } else { Err("this MPI library has no tools interface (MPI_T)".to_owned()) }
}

/// Control variable that holds a single number.
struct Variable {
    name: String,
    handle: ffi::MPI_T_cvar_handle,
}

impl Variable {
    fn find(name: &str) -> Result<Variable, String> {
        let (index, mut count) = (index(name)?, 0);
        // SAFETY: the interface has been started; a handle is a pointer or a number, of which 0 is one; places for
        // answers live through the calls.
        let (handle, found) = unsafe {
            let mut handle: ffi::MPI_T_cvar_handle = std::mem::zeroed();
            let no_object = std::ptr::null_mut();
            let found = ffi::MPI_T_cvar_handle_alloc(index, no_object, &raw mut handle, &raw mut count) == 0;
            (handle, found)
        };
        if !found || count != 1 {
            return Err(format!("this MPI library has no variable {name} (MPI_T)"));
        }
        Ok(Variable { name: name.to_owned(), handle })
    }

    fn read(&self) -> Result<c_int, String> {
        let mut value = [0 as c_int; 4];
        // SAFETY: the variable is a single number, for which there is room.
        match unsafe { ffi::MPI_T_cvar_read(self.handle, value.as_mut_ptr().cast()) } {
            0 => Ok(value[0]),
            code => Err(format!("the library's {} cannot be read (MPI_T: {code})", self.name)),
        }
    }

    fn write(&self, value: c_int) -> Result<(), String> {
        let value = [value; 4];
        // SAFETY: the variable is a single number.
        match unsafe { ffi::MPI_T_cvar_write(self.handle, value.as_ptr().cast()) } {
            0 => Ok(()),
            code => Err(format!(
                "the library does not allow {} to be written after MPI_Init (MPI_T: {code}); set it in the environment \
                 (OMPI_MCA_{} for Open MPI)",
                self.name, self.name
            )),
        }
    }
}

/// Returns the index of a variable in the library's tools interface.
fn index(name: &str) -> Result<c_int, String> {
    let text = CString::new(name).map_err(|_| format!("{name:?} is no name of a variable"))?;
    let mut index = 0;
    // SAFETY: the interface has been started; places for text and answer live through the call.
    match unsafe { ffi::MPI_T_cvar_get_index(text.as_ptr(), &raw mut index) } {
        0 => Ok(index),
        _ => Err(format!("this MPI library has no variable {name} (MPI_T)")),
    }
}

/// Returns the library's description of a variable, and the names that it gives to the variable's values.
fn described(index: c_int) -> (String, Vec<(c_int, String)>) {
    let (mut name, mut text) = ([0 as c_char; 256], vec![0 as c_char; 8192]);
    let (mut name_length, mut text_length) = (name.len() as c_int, text.len() as c_int);
    let (mut verbosity, mut bind, mut scope) = (0, 0, 0);
    // SAFETY: the interface has been started; a handle is a pointer or a number, of which 0 is one; places for answers
    // live through the call and are as long as is said.
    let choices = unsafe {
        let mut datatype = ffi::RSMPI_INT32_T;
        let mut choices: ffi::MPI_T_enum = std::mem::zeroed();
        ffi::MPI_T_cvar_get_info(
            index,
            name.as_mut_ptr(),
            &raw mut name_length,
            &raw mut verbosity,
            &raw mut datatype,
            &raw mut choices,
            text.as_mut_ptr(),
            &raw mut text_length,
            &raw mut bind,
            &raw mut scope,
        );
        choices
    };
    (words(&text), enumerated(choices))
}

/// Returns a text of C as one of Rust.
fn words(text: &[c_char]) -> String {
    text.iter().take_while(|byte| **byte != 0).map(|byte| *byte as u8 as char).collect()
}

/// Returns the values of an enumeration with their names, none where a variable has no enumeration.
fn enumerated(choices: ffi::MPI_T_enum) -> Vec<(c_int, String)> {
    // SAFETY: a handle is a pointer or a number; that of no enumeration is zero, and is asked for nothing.
    if choices == unsafe { std::mem::zeroed() } {
        return Vec::new();
    }
    let (mut count, mut name) = (0, [0 as c_char; 256]);
    let mut length = name.len() as c_int;
    // SAFETY: the handle is the library's; places for answers live through the call and are as long as is said.
    if unsafe { ffi::MPI_T_enum_get_info(choices, &raw mut count, name.as_mut_ptr(), &raw mut length) } != 0 {
        return Vec::new();
    }
    let item = |place: c_int| {
        let (mut value, mut name) = (0, [0 as c_char; 256]);
        let mut length = name.len() as c_int;
        // SAFETY: as above.
        let code =
            unsafe { ffi::MPI_T_enum_get_item(choices, place, &raw mut value, name.as_mut_ptr(), &raw mut length) };
        (code == 0).then(|| (value, words(&name)))
    };
    (0..count).filter_map(item).collect()
}

impl Drop for Variable {
    fn drop(&mut self) {
        // SAFETY: the handle was made in `find`, and is given back once.
        unsafe { ffi::MPI_T_cvar_handle_free(&raw mut self.handle) };
    }
}
