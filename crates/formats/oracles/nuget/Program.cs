// Writes nuget-versions.tsv and nuget-ranges.tsv to the current folder with the answers of NuGet.Versioning.
//
// Versions are in order with their normal form and 1 for prereleases; `=` for one that equals the version before it, `!`
// for texts that are no versions. Ranges: `+` with the range and its normal form, or `!`.
//
// Run: compile with a reference to NuGet.Versioning.dll of a .NET SDK, then start it in oracles.
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using NuGet.Versioning;

static class Program
{
    static readonly Random random = new Random(3);

    static string Pick(params string[] list) => list[random.Next(list.Length)];

    static string Spelling()
    {
        var text = string.Join(".", Enumerable.Range(0, int.Parse(Pick("1", "2", "3", "3", "4"))).Select(_ => Pick("0", "1", "2", "10", "01", "999")));
        if (random.Next(10) < 5)
            text += "-" + string.Join(".", Enumerable.Range(0, random.Next(3) + 1).Select(_ => Pick("alpha", "Alpha", "BETA", "beta", "rc", "1", "2", "10", "01", "a-b", "-", "99999999999", "x1")));
        if (random.Next(10) < 2)
            text += "+" + Pick("build", "1.2", "A-b");
        if (random.Next(10) < 1)
            text = text.Insert(random.Next(text.Length + 1), Pick("..", "x", "_", "+", "-", ".0.0"));
        return text;
    }

    static string Range()
    {
        var version = (Func<string>)(() => random.Next(5) == 0 ? "" : Spelling());
        switch (random.Next(4))
        {
            case 0: return version();
            case 1: return "[" + version() + "]";
            default: return Pick("[", "(") + version() + "," + Pick("", " ") + version() + Pick("]", ")");
        }
    }

    static void Main()
    {
        var texts = Enumerable.Range(0, 2600).Select(_ => Spelling()).Distinct().ToList();
        var valid = texts.Where(text => NuGetVersion.TryParse(text, out _)).OrderBy(NuGetVersion.Parse).ThenBy(text => text, StringComparer.Ordinal).ToList();
        var lines = new List<string>();
        for (var at = 0; at < valid.Count; at++)
        {
            var version = NuGetVersion.Parse(valid[at]);
            var sign = at > 0 && NuGetVersion.Parse(valid[at - 1]).CompareTo(version) == 0 ? "=" : "<";
            lines.Add(string.Join("\t", sign, valid[at], version.ToNormalizedString(), version.IsPrerelease ? "1" : "0"));
        }
        lines.AddRange(texts.Except(valid).OrderBy(text => text, StringComparer.Ordinal).Select(text => "!\t" + text));
        File.WriteAllText("nuget-versions.tsv", string.Join("\n", lines) + "\n");
        var ranges = Enumerable.Range(0, 900).Select(_ => Range()).Distinct().OrderBy(text => text, StringComparer.Ordinal);
        var rows = ranges.Select(text => VersionRange.TryParse(text, out var range) ? "+\t" + text + "\t" + range.ToNormalizedString() : "!\t" + text);
        File.WriteAllText("nuget-ranges.tsv", string.Join("\n", rows) + "\n");
    }
}
