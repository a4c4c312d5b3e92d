package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"oracle/semver"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		left, right, _ := strings.Cut(lines.Text(), "\t")
		fmt.Println(semver.Compare(left, right))
	}
}
