import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ServiceEnclaveView } from '../../src/shared/chat-route.ts'
import { COMMAND } from '../process/command.ts'
import { runSotto, startSotto, type Finished, type SottoProcess } from '../process/sotto-process.ts'
import { dataOf } from '../process/command-json.ts'

let folder: string
let sotto: SottoProcess
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-service-enclave-'))
  sotto = await startSotto(folder)
})
afterAll(async () => {
  await sotto.stop('SIGTERM')
  await rm(folder, { recursive: true, force: true })
})

const enclave = (...args: string[]): Promise<Finished> =>
  runSotto(['service-enclave', ...args], { SOTTO_DATA_DIR: folder })
const view = async (): Promise<ServiceEnclaveView> =>
  (dataOf((await enclave('show', '--json')).stdout) as { serviceEnclave: ServiceEnclaveView }).serviceEnclave

describe('sotto service-enclave', () => {
  it('shows who can read chats before the first verification', async () => {
    const { code, stdout, stderr } = await enclave()
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain(
      'through the service’s verified enclave, or not at all. The model’s provider can read them\n',
    )
    expect(stdout).toContain('not verified yet\n')
  })

  it('verifies step by step, and shows who can read chats', async () => {
    const { code, stdout } = await enclave('verify')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Verified: 127\.0\.0\.1:\d+, with the sandbox’s trust roots\n/)
    expect(stdout).toContain(
      'The service can’t read chats that are sealed to this enclave. The model’s provider can.\n',
    )
    expect(stdout).not.toMatch(/private chat|end-to-end/i)
    const { verdict, image } = await view()
    expect([verdict?.good, verdict?.registers?.[0]?.hex]).toEqual([true, image])
  })

  it('applies a stricter rule immediately, and refuses an image that doesn’t meet it', async () => {
    expect(await enclave('rule', 'proven')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('with provenance that you added\n') as unknown,
    })
    const { code, stdout } = await enclave('verify')
    expect(code).toBe(1)
    expect(stdout).toMatch(/^NOT VERIFIED: /)
    const chat = await runSotto(['chat', '-m', 'sandbox/allegro-mini', 'Hello'], { SOTTO_DATA_DIR: folder })
    expect([chat.code, chat.stderr]).toEqual([1, expect.stringContaining('(relay/unverified)') as unknown])
  })

  it.each([
    ['rule', 'published', 'Confirm: Accept every image that 127.0.0.1'],
    ['route', 'forwarded', 'Confirm: Let the service read all chats with models that aren’t private?'],
  ])('asks for confirmation in Sotto’s terminal before %s %s', async (what, choice, question) => {
    const before = await view()
    const child = spawn(process.execPath, [COMMAND, 'service-enclave', what, choice], {
      env: { ...process.env, SOTTO_DATA_DIR: folder },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const closed = once(child, 'close')
    let asked = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (asked += text))
    await expect.poll(() => asked, { timeout: 60_000 }).toContain(question)
    child.kill('SIGINT')
    await closed
    expect(await view()).toMatchObject({ rule: before.rule, route: before.route })
  })

  it('refuses files that can’t be read or don’t prove an image', async () => {
    const file = join(folder, 'PCR.json')
    await writeFile(file, '{}')
    expect(await enclave('prove', file, file)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('(relay/provenance-refused)') as unknown,
    })
    expect(await enclave('prove', join(folder, 'none'), file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('(proof/unreadable)') as unknown,
    })
    expect(await enclave('approve', '1'.repeat(96))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('(relay/no-image-waiting)') as unknown,
    })
    expect(await enclave('remove', '1'.repeat(96))).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Accepted images:') as unknown,
    })
  })
})
