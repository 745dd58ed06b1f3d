import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates the folder for all temporary files of one run. Removing it removes everything that a test leaves. */
export function createTemporaryFolder(): {
  readonly environment: Readonly<Record<string, string>>
  readonly remove: () => void
} {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-test-'))
  return {
    environment: { TMPDIR: folder, TEMP: folder, TMP: folder },
    // A killed process may have written files a moment ago, so removal is retried.
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

let opened: ReturnType<typeof createTemporaryFolder> | undefined

/** Vitest calls this before its workers start. */
export function setup(): void {
  opened = createTemporaryFolder()
  Object.assign(process.env, opened.environment)
}

/** Vitest calls this after its workers end. */
export function teardown(): void {
  opened?.remove()
}
