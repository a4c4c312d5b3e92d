<?php
// Writes composer-versions.tsv with the answers of Composer\Semver (Debian: php-composer-semver): versions in order with
// their normal form and stability, `=` for one that equals the version before it, `!` for texts that are no versions.
require '/usr/share/php/Composer/Semver/autoload.php';

use Composer\Semver\Comparator;
use Composer\Semver\VersionParser;

mt_srand(20);
$pick = fn(array $list) => $list[mt_rand(0, count($list) - 1)];
$spelling = function () use ($pick) {
    $kind = mt_rand(0, 99);
    if ($kind < 6) {
        return $pick(['dev-main', 'dev-feature/x', 'DEV-Foo', 'dev-1.0', 'main-dev', '1.x-dev', '2.*-dev', 'v3.1.x-dev', '1.0.x-dev', 'master', 'dev-master', 'trunk', 'default', '1.2.3.x-dev', '1.X-DEV', '1.0-dev', 'v1-dev', 'dev-fix#12']);
    }
    if ($kind < 10) {
        return $pick(['20100102', '2010.01.02', '2010-01-02', '20100102-203040', '20100102203040', '2010-01-02.5', '2010-01-02-10-20-30.0.3', '201002', '2024.04.05']);
    }
    $text = $pick(['', '', '', 'v', 'V']);
    $text .= implode('.', array_map(fn() => $pick(['0', '1', '2', '3', '10', '00', '01', '999']), range(1, $pick([1, 2, 3, 3, 4]))));
    if (mt_rand(0, 9) < 5) {
        $text .= $pick(['', '', '-', '.', '_']) . $pick(['alpha', 'beta', 'RC', 'rc', 'a', 'b', 'p', 'pl', 'patch', 'stable', 'Beta', 'ALPHA']) . $pick(['', '1', '2', '.1', '-2', '10', '1.2', '01']);
    }
    if (mt_rand(0, 9) < 2) { $text .= $pick(['-dev', '+build', '+b.1', '-DEV', '.dev']); }
    if (mt_rand(0, 9) < 1) { $text = substr_replace($text, $pick(['x', '..', '/', '-', '*', '^', '@', ' ']), mt_rand(0, strlen($text)), 0); }
    return $text;
};
$parser = new VersionParser();
$valid = []; $invalid = [];
for ($i = 0; $i < 2600; $i++) {
    $text = $spelling();
    if ($text !== trim($text) || isset($valid[$text])) { continue; }
    try { $valid[$text] = $parser->normalize($text); } catch (\UnexpectedValueException $e) { $invalid[$text] = 1; }
}
// Branches have no order among each other: they follow by name, before the versions.
$rows = array_map(fn($text, $normal) => [(string) $text, $normal, VersionParser::parseStability($normal)], array_keys($valid), $valid);
$order = function ($a, $b) {
    $branch = fn($row) => substr($row[1], 0, 4) === 'dev-' ? 1 : 0;
    if ($branch($a) || $branch($b)) { return [$branch($b), $a[1]] <=> [$branch($a), $b[1]]; }
    return version_compare($a[1], $b[1]);
};
usort($rows, fn($a, $b) => $order($a, $b) ?: strcmp($a[0], $b[0]));
$out = fopen(__DIR__ . '/composer-versions.tsv', 'w');
foreach ($rows as $at => $row) {
    $mark = $at > 0 && $order($rows[$at - 1], $row) === 0 ? '=' : '<';
    fwrite($out, implode("\t", array_merge([$mark], $row)) . "\n");
}
foreach (array_keys($invalid) as $text) { fwrite($out, "!\t$text\n"); }
