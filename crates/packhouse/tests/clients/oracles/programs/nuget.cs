using System;
using NuGet.Versioning;

class Oracle
{
    static void Main()
    {
        string line;
        while ((line = Console.ReadLine()) != null)
        {
            var pair = line.Split('\t');
            var order = NuGetVersion.Parse(pair[0]).CompareTo(NuGetVersion.Parse(pair[1]));
            Console.WriteLine(Math.Sign(order));
        }
    }
}
