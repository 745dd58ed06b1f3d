import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, link, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { startSandbox, type Sandbox, type SandboxOptions } from '../../src/sandbox/index.ts'

const checkout = resolve(import.meta.dirname, '../..')
/**
 * Roots of another format are different roots, so the name of their file contains a hash of the code that reads
 * them.
 */
const form = createHash('sha256')
  .update(readFileSync(join(checkout, 'src/sandbox/world/roots.ts')))
  .digest('hex')
  .slice(0, 16)
const cacheFolder = join(checkout, 'node_modules/.cache/sotto-sandbox-test', form)

/**
 * Creates a sandbox folder with roots in it. They are minted once per checkout, because two RSA-4096 keys take
 * seconds.
 */
export async function sandboxFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-sandbox-'))
  await placeRoots(folder)
  return folder
}

/** Copies those roots into a sandbox's folder if it has none. Creates the folder if it is missing. */
export async function placeRoots(folder: string): Promise<void> {
  const path = join(folder, 'roots.json')
  if (existsSync(path)) return
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const cached = join(cacheFolder, 'roots.json')
  if (!existsSync(cached)) await mintRoots(cached)
  await copyFile(cached, path)
}

/** Other processes may mint at the same time. The first roots remain, because a test may have copied them already. */
async function mintRoots(cached: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-roots-'))
  const sandbox = await startSandbox({ folder })
  await sandbox.trust()
  await sandbox.close()
  await mkdir(cacheFolder, { recursive: true, mode: 0o700 })
  const draft = join(cacheFolder, basename(folder))
  await copyFile(join(folder, 'roots.json'), draft)
  await link(draft, cached).catch((thrown: unknown) => {
    if (!existsSync(cached)) throw thrown
  })
  await rm(draft)
  await rm(folder, { recursive: true, force: true })
}

/** Starts a sandbox in a new folder, answering without pauses. */
export async function startTestSandbox(options: Partial<SandboxOptions> = {}): Promise<Sandbox> {
  return startSandbox({ folder: await sandboxFolder(), pace: 'none', ...options })
}

export interface TestAccount {
  readonly creditId: string
  readonly apiKey: string
}

export async function createAccount(sandbox: Sandbox): Promise<TestAccount> {
  const response = await fetch(`${sandbox.baseUrl}/accounts/create`, { method: 'POST' })
  const account = (await response.json()) as { credit_id: string; api_key: string }
  return { creditId: account.credit_id, apiKey: account.api_key }
}

export async function balanceOf(sandbox: Sandbox, account: TestAccount): Promise<number> {
  const response = await fetch(`${sandbox.baseUrl}/credits/balance`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ credit_id: account.creditId }),
  })
  return ((await response.json()) as { balance: number }).balance
}

/** Sends a plaintext chat request. */
export function postChat(
  sandbox: Sandbox,
  account: TestAccount,
  body: object,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(`${sandbox.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${account.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'sandbox/allegro-mini',
      messages: [{ role: 'user', content: 'A plan for a small garden' }],
      ...body,
    }),
    ...init,
  })
}
