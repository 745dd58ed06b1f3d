import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { clientOf } from '../../src/cli/client.ts'
import { printChangedRecords, printSkippedEntries } from '../../src/cli/print-notices.ts'
import { unlockVault } from '../../src/core/core.ts'
import { SkippedEntries } from '../../src/core/gateway/relay/index.ts'
import { startSandbox } from '../../src/sandbox/index.ts'
import { sandboxFolder } from '../sandbox/cached-roots.ts'
import { startWorld } from '../world.ts'

test('a command prints that records were changed, and nothing while they are intact', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-notices-'))
  const sandbox = await startSandbox({ folder: await sandboxFolder(), pace: 'none' })
  const printed = async () => {
    await using world = await startWorld({
      outlives: { sandbox, folder, clock: { ahead: 0 } },
      vault: () => unlockVault({ mode: 'file', folder, passphrase: 'correct horse' }),
    })
    const lines: string[] = []
    printChangedRecords((await clientOf(world.core).app.status()).notices, (line) => lines.push(line))
    return lines
  }
  try {
    expect(await printed()).toEqual([])
    const database = new DatabaseSync(join(folder, 'profiles', 'sandbox', 'sotto.db'))
    database.exec('DELETE FROM local_keys')
    database.close()
    expect(await printed()).toEqual([
      expect.stringMatching(
        /^Saved records were changed outside Sotto \(local keys: 1 record missing\)\..*sotto open/,
      ),
    ])
  } finally {
    await sandbox.close()
    await rm(folder, { recursive: true, force: true })
  }
})

test('a command that lists models prints how many entries can’t be read', () => {
  const skipped = new SkippedEntries()
  const lines: string[] = []
  printSkippedEntries(skipped.notices(), (line) => lines.push(line))
  skipped.note('voices', { entries: [], unreadable: 1 })
  printSkippedEntries([{ id: 'low-balance-1', says: [], lasting: false }, ...skipped.notices()], (line) =>
    lines.push(line),
  )
  expect(lines).toEqual(['1 entry of the service’s lists can’t be read and isn’t shown. Voices: 1.'])
})
