//! File names like those of published software: a few words are everywhere, most are rare.

/// Numbers that look random and are always the same.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number below a bound.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    /// One of these.
    fn any<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        let place = self.below(list.len() as u64);
        &list[usize::try_from(place).unwrap_or_default()]
    }

    /// One of these, the first ones much more often than the last.
    fn frequent<'l, T>(&mut self, list: &'l [T]) -> &'l T {
        let length = list.len() as u64;
        let bound = 1 + self.below(length);
        let place = self.below(bound) * self.below(length) / length;
        &list[usize::try_from(place).unwrap_or_default()]
    }
}

/// Fifty thousand words.
pub(crate) fn words() -> Vec<String> {
    let mut numbers = Numbers::new(7);
    let consonants: Vec<char> = "tnsrldcmpgbkfvhjwzxq".chars().collect();
    let vowels: Vec<char> = "eaiouy".chars().collect();
    let mut syllable = || [*numbers.frequent(&consonants), *numbers.any(&vowels), *numbers.any(&consonants)];
    (0..50_000).map(|number| (0..1 + number % 3).flat_map(|_| syllable()).collect()).collect()
}

/// A name: two words, a version, perhaps a classifier, and an ending.
pub(crate) fn name(numbers: &mut Numbers, words: &[String]) -> String {
    const ENDINGS: [&str; 20] = [
        ".jar",
        ".jar",
        ".jar",
        ".jar",
        ".jar",
        ".jar",
        ".jar",
        ".jar",
        ".jar",
        ".jar",
        ".pom",
        ".pom",
        ".pom",
        ".pom",
        ".jar.asc",
        ".tar.gz",
        "_amd64.deb",
        ".whl",
        ".zip",
        ".rpm",
    ];
    const CLASSIFIERS: [&str; 6] = ["", "", "", "", "-sources", "-javadoc"];
    let (one, other) = (numbers.frequent(words), numbers.frequent(words));
    let (major, minor, patch) = (numbers.below(9), numbers.below(20), numbers.below(30));
    let (classifier, ending) = (numbers.any(&CLASSIFIERS), numbers.any(&ENDINGS));
    format!("{one}-{other}-{major}.{minor}.{patch}{classifier}{ending}")
}
