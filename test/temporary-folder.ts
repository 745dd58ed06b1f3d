import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where everything of one run that asks the system for a temporary place is put: nothing of it stays behind, whatever a test leaves. */
export function openTemporaryFolder(): {
  readonly environment: Readonly<Record<string, string>>
  readonly remove: () => void
} {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-test-'))
  return {
    environment: { TMPDIR: folder, TEMP: folder, TMP: folder },
    // What was killed may have been writing a moment ago.
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  }
}

let opened: ReturnType<typeof openTemporaryFolder> | undefined

/** Vitest calls it before its workers start. */
export function setup(): void {
  opened = openTemporaryFolder()
  Object.assign(process.env, opened.environment)
}

/** And this after they ended. */
export function teardown(): void {
  opened?.remove()
}
