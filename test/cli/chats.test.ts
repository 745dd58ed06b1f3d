import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runSotto, startSotto, type Finished, type SottoProcess } from '../process/sotto-process.ts'

let folder: string
let sotto: SottoProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-chats-'))
  sotto = await startSotto(folder)
})
afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})
const chats = (...args: string[]): Promise<Finished> =>
  runSotto(['chats', ...args], { SOTTO_DATA_DIR: folder })

it('imports a file, finds its chats by their text, and exports them', async () => {
  const path = join(folder, 'conversations.json')
  const message = (uuid: string, sender: string, text: string) => ({
    uuid,
    sender,
    text,
    created_at: '2026-01-01T10:00:00Z',
  })
  await writeFile(
    path,
    JSON.stringify([
      {
        name: 'Lamps \u001b[31m',
        chat_messages: [
          message('a', 'human', 'Who keeps the lighthouse?'),
          message('b', 'assistant', 'A keeper.'),
        ],
      },
      { name: 'Nothing', chat_messages: [] },
    ]),
  )
  const imported = await chats('import', path)
  expect([imported.code, imported.stdout]).toEqual([
    1,
    'Imported 1 chat with 2 messages.\nSkipped: item 2 (Nothing): no text.\n',
  ])
  const found = await chats('search', 'light', 'keeper')
  expect(found.code).toBe(0)
  expect(found.stdout).toMatch(/^[0-9a-f-]{36} {2}Lamps/)
  expect(found.stdout).toContain('Who keeps the lighthouse?')
  expect(found.stdout).not.toContain('\u001b')
  expect(await chats('search', 'zebra')).toMatchObject({ code: 1, stdout: '', stderr: 'No matches.\n' })
  expect(await chats('search', 'zebra', '--json')).toMatchObject({
    code: 1,
    stdout: '{"data":{"chats":[]},"schema":1}\n',
    stderr: '',
  })
  const { conversations } = JSON.parse((await chats('export')).stdout) as {
    conversations: { imported: boolean; private: boolean; messages: { text: string; privacy?: string }[] }[]
  }
  expect(conversations).toMatchObject([
    {
      imported: true,
      private: false,
      messages: [{ text: 'Who keeps the lighthouse?' }, { text: 'A keeper.' }],
    },
  ])
  expect((await chats('export', '--format', 'markdown')).stdout).toContain('## Answer')
}, 120_000)

it('reports a file that can’t be read or contains no chats', async () => {
  const none = await chats('import', join(folder, 'nobody.json'))
  expect([none.code, none.stdout]).toEqual([2, ''])
  expect(none.stderr).toContain(`Couldn’t read “${join(folder, 'nobody.json')}”.`)
  const path = join(folder, 'other.json')
  await writeFile(path, '{"hello":1}')
  expect((await chats('import', path)).stderr).toContain('No chats in a supported format were found')
}, 60_000)

it('saves a project in a file of its own, and imports it as a new one', async () => {
  const { id } = (await sotto.call('projects/create', {
    name: 'Lease',
    instructions: 'between us',
    privateOnly: true,
  })) as { id: string }
  const projects = (...args: string[]) => runSotto(['projects', ...args], { SOTTO_DATA_DIR: folder })
  const [sealed, plain, passphrase] = ['a.project', 'b.project', 'words'].map((name) => join(folder, name))
  await writeFile(passphrase ?? '', 'a passphrase that is long\n')
  const withPassphrase = ['--passphrase-file', passphrase ?? '']
  const saved = await projects('export', 'lease', sealed ?? '', ...withPassphrase)
  expect([saved.code, saved.stderr]).toEqual([0, ''])
  expect((await stat(sealed ?? '')).mode & 0o777).toBe(0o600)
  expect(await readFile(sealed ?? '', 'utf8')).not.toContain('between us')
  const open = await projects('export', 'Lease', plain ?? '', '--plain')
  expect([open.code, open.stderr]).toEqual([0, expect.stringContaining('The file isn’t encrypted.')])
  expect(await readFile(plain ?? '', 'utf8')).toContain('between us')
  // A file that exists isn't replaced.
  expect(await projects('export', 'Lease', plain ?? '', '--plain')).toMatchObject({ code: 2, stdout: '' })

  const imported = await projects('import', sealed ?? '', ...withPassphrase, '--json')
  const { data } = JSON.parse(imported.stdout) as { data: { projectId: string } }
  expect(data).toMatchObject({ name: 'Lease', privateOnly: true, conversations: 0 })
  expect(data.projectId).not.toBe(id)
  await writeFile(passphrase ?? '', 'another passphrase')
  const refused = await projects('import', sealed ?? '', ...withPassphrase)
  expect(refused.stderr).toContain('(project/file-passphrase)')
}, 60_000)
