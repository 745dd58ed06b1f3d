import { MAX_IMPORT_MODELS, type ImportModels } from '../../../../shared/library/import-report.ts'

/** Different names of one import that are counted. A file that invents more of them must not fill the memory. */
const MAX_COUNTED = 1000

/** Counts the models that the files of an import name, and replaces those that the user chose another model for. */
export class ImportedModels {
  readonly #replacements: ReadonlyMap<string, string>
  readonly #counts = new Map<string, number>()

  constructor(models: ImportModels) {
    this.#replacements = new Map(models.map(({ from, to }) => [from, to]))
  }

  /** Whether any chat was counted. */
  get counted(): boolean {
    return this.#counts.size > 0
  }

  /** Counts one chat. @param name undefined if the file names no model */
  count(name = ''): void {
    const known = this.#counts.get(name)
    if (known !== undefined || this.#counts.size < MAX_COUNTED) this.#counts.set(name, (known ?? 0) + 1)
  }

  /** @returns the chosen model; the same name if none was chosen */
  replacementOf(name: string | undefined): string | undefined {
    return this.#replacements.get(name ?? '') ?? name
  }

  /** @returns the most frequent names and their number of chats */
  list(): { name: string; conversations: number }[] {
    return [...this.#counts]
      .map(([name, conversations]) => ({ name, conversations }))
      .toSorted((a, b) => b.conversations - a.conversations)
      .slice(0, MAX_IMPORT_MODELS)
  }
}
