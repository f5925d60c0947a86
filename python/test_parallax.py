"""What the module makes of real files and of the real command, which the variable PARALLAX names."""

import os
import tempfile
import unittest
from pathlib import Path

import numpy
import pandas

import parallax

CAMPAIGNS = Path(__file__).parent.parent / "tests/golden/campaigns"


class FromPython(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.before = os.getcwd()
        os.chdir(self.folder.name)

    def tearDown(self):
        os.chdir(self.before)
        self.folder.cleanup()

    def test_a_simulated_call_takes_what_its_closed_form_says(self):
        one = parallax.simulate(
            "bcast", algorithm="binomial", ranks=8, bytes=1000, model="hockney", set="alpha=5us,beta=1ns/B"
        )
        self.assertEqual(one.finish_max_ps[0], 3 * 6_000_000)

    def test_a_sweep_is_a_frame_with_numbers(self):
        rows = parallax.sweep("bcast", algorithm=["linear", "binomial"], ranks=[4, 8], bytes=8)
        self.assertEqual(len(rows), 4)
        cheapest = rows.loc[rows.groupby("ranks").finish_max_ps.idxmin()]
        self.assertEqual(set(rows.L_ps), {2_500_000})
        self.assertEqual(set(cheapest.world), {"simulated"})
        parallax.run("sweep", "bcast", "--ranks", "4,8", "--out", "rows.csv", "-q")
        parallax.run("sweep", "bcast", "--ranks", "4,8", "--out", "rows.jsonl", "-q")
        table = parallax.read("rows.csv")
        pandas.testing.assert_frame_equal(table, parallax.read("rows.jsonl")[table.columns])
        pandas.testing.assert_frame_equal(table, parallax.sweep("bcast", ranks=[4, 8])[table.columns])

    def test_lists_arrays_and_dictionaries_are_flags(self):
        model = {"L": "2us", "o": "500ns", "g": "1us", "G": "1ns/B"}
        written = parallax.sweep("bcast,barrier", algorithm="all", ranks="4,8", set="L=2us,o=500ns,g=1us,G=1ns/B")
        for ranks in [[4, 8], (4, 8), numpy.array([4, 8]), pandas.Series([4, 8]), range(4, 9, 4)]:
            rows = parallax.sweep(["bcast", "barrier"], algorithm="all", ranks=ranks, set=model)
            pandas.testing.assert_frame_equal(rows, written)
        one = parallax.simulate("bcast", algorithm="binomial", ranks=numpy.int64(8), bytes=numpy.array([8])[0])
        self.assertEqual(one.ranks[0], 8)

    def test_a_machine_is_a_dictionary(self):
        parallax.run("calibrate", "--world", "simulated", "--set", "L=1us,o=200ns,g=200ns,G=0.1ns/B", "--out", "mine.toml")
        machine = parallax.read("mine.toml")
        self.assertEqual(machine["name"], "mine")
        self.assertAlmostEqual(machine["loggp"]["latency_us"]["value"], 1.0)

    def test_the_version_is_that_of_the_command(self):
        self.assertEqual(parallax.run("--version").split()[1], parallax.__version__)

    def test_measurements_join_their_campaign(self):
        measured = parallax.measure(
            "bcast", world="threads", ranks=2, bytes=[8, 64], method=["loop", "window"], launches=2, out="one"
        )
        self.assertTrue((measured.dropna(subset=["time_us"]).time_us > 0).mean() > 0.5)
        self.assertEqual(measured.oversubscribed.dtype, bool)
        files = parallax.read("one")
        self.assertEqual(len(files["measured.csv"]), len(measured))
        lines = parallax.read("one/campaign.jsonl")
        cases = lines["measured"]
        self.assertEqual(set(cases.campaign), set(measured.campaign), "one identity in lines and tables")
        self.assertEqual(set(cases.launch), {1, 2})
        keys = ["campaign", "world", "transport", "ranks", "algorithm", "bytes", "method"]
        self.assertEqual(len(cases.merge(measured[measured.kind == "method"], on=keys)), 2 * 4)

    def test_files_of_several_commands_concatenate_and_join(self):
        before = parallax.read_campaign(CAMPAIGNS / "measure")
        self.assertTrue({"campaign", "measured", "memory", "finished"} <= set(before))
        self.assertEqual(set(before["measured"].world), {"openmpi"})
        tables = [parallax.table("guidelines", CAMPAIGNS / name) for name in ["measure", "measure-mpich"]]
        both = pandas.concat(tables)
        self.assertEqual(both.groupby(["campaign", "library"]).ngroups, 2)

    def test_refusals_are_errors_in_the_commands_words(self):
        with self.assertRaisesRegex(parallax.Error, "binomal"):
            parallax.simulate("bcast", algorithm="binomal", ranks=4)
        with self.assertRaisesRegex(parallax.Error, "expected a folder"):
            parallax.read("some.txt")


if __name__ == "__main__":
    unittest.main()
