import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clientOver } from '../../src/cli/client.ts'
import { choosePassages } from '../../src/cli/passages.ts'
import { ownerFetch } from '../../src/host/owner-socket.ts'
import type { Receipt } from '../../src/shared/receipt.ts'
import { COMMAND } from '../process/command.ts'
import { runSotto, startSotto, type SottoProcess } from '../process/sotto-process.ts'

let folder: string
let sotto: SottoProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-chat-'))
  sotto = await startSotto(folder)
})
afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})
const receipts = async (): Promise<Receipt[]> => (await sotto.call('receipts/list', {})) as Receipt[]

it('prints the reply on standard output, sealed, through the running Sotto', async () => {
  const { code, stdout, stderr } = await runSotto(['chat', 'Hello', 'there'], { SOTTO_DATA_DIR: folder })
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout.length).toBeGreaterThan(40)
  expect((await receipts())[0]).toMatchObject({
    privacy: 'sealed',
    outcome: 'complete',
    caller: { kind: 'cli' },
  })
})

it('reads the question from a pipe and selects a model by its ID', async () => {
  const { code, stdout } = await runSotto(
    ['chat', '-m', 'sandbox/allegro-mini'],
    { SOTTO_DATA_DIR: folder },
    'Hello from a pipe',
  )
  expect(code).toBe(0)
  expect(stdout.length).toBeGreaterThan(40)
  expect((await receipts())[0]).toMatchObject({ privacy: 'relayed', model: 'sandbox/allegro-mini' })
})

it('prints an error with its code', async () => {
  const { code, stderr } = await runSotto(['chat', '-m', 'none', 'x'], { SOTTO_DATA_DIR: folder })
  expect(code).toBe(1)
  expect(stderr).toContain('(model/unknown)')
})

it('asks about a file and piped text with a private model, and saves no chat', async () => {
  const before = await sotto.call('conversations/list')
  const path = join(folder, 'lease.txt')
  await writeFile(path, 'The notice period is three months.')
  const asked = await runSotto(
    ['ask', 'How', 'long?', '-f', path],
    { SOTTO_DATA_DIR: folder },
    'And piped text.',
  )
  expect([asked.code, asked.stderr]).toEqual([0, ''])
  expect((await receipts())[0]).toMatchObject({ privacy: 'sealed', caller: { kind: 'cli' } })
  expect(await sotto.call('conversations/list')).toEqual(before)
  const binary = join(folder, 'a.bin')
  await writeFile(binary, Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0]))
  const refused = await runSotto(['ask', 'What?', '-f', binary], { SOTTO_DATA_DIR: folder })
  expect([refused.code, refused.stderr]).toEqual([
    expect.any(Number),
    expect.stringContaining('(attachment/binary)'),
  ])
  expect(refused.code).not.toBe(0)
})

it('begins a chat in the named project, and refuses an unknown one', async () => {
  const { id } = (await sotto.call('projects/create', { name: 'Filter design' })) as { id: string }
  const { code } = await runSotto(['chat', '--project', 'filter design', 'Hello'], { SOTTO_DATA_DIR: folder })
  expect(code).toBe(0)
  expect(await sotto.call('conversations/list', { projectId: id })).toMatchObject([{ projectId: id }])
  const unknown = await runSotto(['chat', '--project', 'none', 'Hello'], { SOTTO_DATA_DIR: folder })
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining('(project/unknown)')])
})

it('lists the passages of a project before a question takes them, and sends none without an agreement', async () => {
  const client = clientOver(ownerFetch(folder))
  const { id: projectId } = await client.projects.create({ name: 'Lease' })
  const content = new Blob(['# Lease\n\nThe notice period is three \u001b[31mmonths.'])
  await client.knowledge.add({ projectId, name: 'lease.md', content })
  const question = 'How long is the notice period?'
  const ask = (...options: string[]) =>
    runSotto(['chat', '--project', 'lease', ...options, question], { SOTTO_DATA_DIR: folder })
  const sent = async () => {
    const chats = await client.conversations.list({ projectId })
    const all = await Promise.all(chats.map(({ id }) => client.conversations.get({ conversationId: id })))
    return all.map(({ messages }) => messages[0]?.passages?.length ?? 0)
  }
  const refused = await ask()
  expect(refused.code).toBe(0)
  expect(refused.stderr).toMatch(
    /^\[1\] lease\.md, “Lease”, line \d: .+\n1 passage, about \d+ tokens, .+\.\n/,
  )
  expect(refused.stderr).toContain('To send them, use --yes.')
  expect(refused.stderr).not.toContain('\u001b')
  expect(await sent()).toEqual([0])
  expect((await ask('--yes')).code).toBe(0)
  expect((await sent()).toSorted()).toEqual([0, 1])
  const asked = await runSotto(['ask', '--project', 'lease', '--yes', question], { SOTTO_DATA_DIR: folder })
  expect([asked.code, asked.stderr]).toEqual([0, expect.stringContaining('1 passage, about')])

  const questions: string[] = []
  const agree = (agrees: boolean) =>
    choosePassages(
      client,
      { projectId, model: 'none', text: question },
      { yes: false, ask: (text) => (questions.push(text), Promise.resolve(agrees)) },
    )
  expect([await agree(true), await agree(false)]).toEqual([[expect.any(String)], []])
  expect(questions).toHaveLength(2)
})

it('cancels the request on Ctrl-C', async () => {
  const child = spawn(process.execPath, [COMMAND, 'chat', 'Write 2000 words about rivers'], {
    env: { ...process.env, SOTTO_DATA_DIR: folder },
  })
  await once(child.stdout, 'data')
  child.kill('SIGINT')
  await once(child, 'exit')
  expect(child.exitCode).toBe(130)
  await expect.poll(async () => (await receipts())[0]?.outcome).toBe('cancelled')
})
