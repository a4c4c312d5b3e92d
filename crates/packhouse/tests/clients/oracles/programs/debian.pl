use strict;
use warnings;
use Dpkg::Version;

while (my $line = <STDIN>) {
    chomp $line;
    my ($left, $right) = split /\t/, $line;
    print version_compare($left, $right), "\n";
}
