<?php
require "/usr/share/php/Composer/Semver/autoload.php";
use Composer\Semver\Comparator;
use Composer\Semver\VersionParser;

$parser = new VersionParser();
while (($line = fgets(STDIN)) !== false) {
    [$left, $right] = array_map([$parser, "normalize"], explode("\t", rtrim($line, "\n")));
    echo (int) Comparator::greaterThan($left, $right) - (int) Comparator::lessThan($left, $right), "\n";
}
