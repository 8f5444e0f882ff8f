/** One mistake in the product, as a developer could make it, and the test that must notice it. */
export interface Defect {
  /** Kebab case, unique: `npm run test:long -- tests/planted -t <name>` runs this defect alone. */
  readonly name: string
  /** One sentence: what goes wrong, and who is harmed. */
  readonly breaks: string
  /** The rule of spec/ that is broken. */
  readonly rule: string
  /** The product file, relative to the root of the repository. */
  readonly file: string
  /** Each `from` occurs exactly once in the file. */
  readonly edits: readonly Edit[]
  /** The cheapest tests that notice it. At least one of them must fail while the defect is there. */
  readonly caughtBy: readonly NamedTest[]
}

export interface Edit {
  readonly from: string
  readonly to: string
}

export interface NamedTest {
  /** The file to run, relative to the root. A shared suite may state the title elsewhere. */
  readonly file: string
  /** How the title begins, as written in the source. */
  readonly title: string
}

/** The text with the defect in it, or a sentence about the edit that no longer applies. */
export function plant(
  defect: Pick<Defect, 'name' | 'file' | 'edits'>,
  text: string,
): { text: string } | { problem: string } {
  let planted = text
  for (const { from, to } of defect.edits) {
    const parts = planted.split(from)
    if (parts.length !== 2) {
      const found = parts.length === 1 ? 'is no longer there' : `is there ${parts.length - 1} times`
      return { problem: `${defect.name}: ${JSON.stringify(from)} ${found} in ${defect.file}` }
    }
    planted = parts.join(to)
  }
  return planted === text ? { problem: `${defect.name} changes nothing in ${defect.file}` } : { text: planted }
}
