//! Random choices with a fixed seed, so that a failure comes again.

/// The number of choices that make one version.
const CHOICES: usize = 40;

/// A generator of numbers, good enough to choose.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 >> 11
    }

    /// The choices of two versions. Most pairs differ in few of them: orders differ between versions that are alike.
    pub(super) fn pair(&mut self) -> (Vec<u64>, Vec<u64>) {
        let left: Vec<u64> = (0..CHOICES).map(|_| self.next()).collect();
        let mut right = left.clone();
        match self.next() % 4 {
            0 => right = (0..CHOICES).map(|_| self.next()).collect(),
            changes => {
                for _ in 0..changes {
                    let at = usize::try_from(self.next()).unwrap_or_default() % 14;
                    right[at] = self.next();
                }
            }
        }
        (left, right)
    }
}

/// A text that is made by choices.
pub(super) struct Text<'c> {
    choices: std::slice::Iter<'c, u64>,
    pub(super) text: String,
}

impl<'c> Text<'c> {
    pub(super) fn new(choices: &'c [u64]) -> Self {
        Self { choices: choices.iter(), text: String::new() }
    }

    /// A number below a limit.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        let choice = self.choices.next().copied().unwrap_or_default();
        usize::try_from(choice).unwrap_or_default() % limit
    }

    /// Whether something happens that happens once in so many times.
    pub(super) fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub(super) fn add(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Adds one of these texts.
    pub(super) fn one_of(&mut self, texts: &[&str]) {
        let text = texts[self.below(texts.len())];
        self.add(text);
    }

    /// Adds a number without leading zeros.
    pub(super) fn number(&mut self) {
        self.one_of(&["0", "1", "2", "3", "9", "10", "11", "100", "20240131"]);
    }

    /// Adds so many numbers with dots between them.
    pub(super) fn numbers(&mut self, least: usize, most: usize) {
        let count = least + self.below(most - least + 1);
        for at in 0..count {
            if at > 0 {
                self.add(".");
            }
            self.number();
        }
    }
}
