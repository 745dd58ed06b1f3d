import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { placeRoots } from '../sandbox/cached-roots.ts'
import { COMMAND } from './command.ts'
import { dataOf } from './command-json.ts'

export interface Ready {
  readonly event: 'ready'
  readonly ui: string
  readonly proxy: { readonly baseUrl: string; readonly key: string | null }
  readonly service: 'sandbox' | 'service'
}

export interface SottoProcess {
  readonly child: ChildProcess
  readonly ready: Ready
  /** A call of the window's API over the headless UI server. */
  api(path: string, input?: unknown, signal?: AbortSignal): Promise<Response>
  call(path: string, input?: unknown): Promise<unknown>
  stderr(): string
  /** `sotto open --print`, from a process of its own. */
  newAddress(): Promise<string>
  /** Resolves with the exit code, or null if a signal ended the process. */
  stop(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The confirmation codes in the output of a terminal, in order. */
export function codesIn(shown: string): string[] {
  return [...shown.matchAll(/enter this code(?: in the window)?: (\w{4}-\w{4})\r?\n/g)].map(
    ([, code = '']) => code,
  )
}

/** Runs a command to its end. */
export async function runSotto(
  args: string[],
  environment: Record<string, string>,
  input = '',
): Promise<Finished> {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    env: { ...process.env, ...environment },
    // Without a terminal, even if the tests run in one.
    detached: process.platform !== 'win32',
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  child.stdin.end(input)
  await once(child, 'close')
  return { code: child.exitCode, stdout, stderr }
}

/**
 * `sotto serve --json` in its own process. Its sandbox uses roots that were created earlier. Rejects with the code
 * of its failure or with its output if it ends before it is ready.
 */
export async function startSotto(
  dataDir: string,
  environment: Record<string, string> = {},
  execArgv: readonly string[] = [],
): Promise<SottoProcess> {
  await placeRoots(join(dataDir, 'sandbox'))
  const child = spawn(process.execPath, [...execArgv, COMMAND, 'serve', '--no-open', '--json'], {
    env: {
      ...process.env,
      SOTTO_DATA_DIR: dataDir,
      SOTTO_PORT: '0',
      SOTTO_UI_PORT: '0',
      SOTTO_VAULT: 'file',
      SOTTO_PASSPHRASE: 'correct horse',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    // The process has no controlling terminal, regardless of how the tests run, so its questions go to
    // standard error.
    detached: process.platform !== 'win32',
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const lines = createInterface({ input: child.stdout })
  // A start that failed prints its code instead, for which dataOf throws.
  const first = await new Promise<string>((resolved, rejected) => {
    lines.once('line', resolved)
    child.once('exit', (code) => rejected(new Error(`ended with ${String(code)}: ${errors}`)))
  })
  const ready = dataOf(first) as Ready
  const newAddress = async (): Promise<string> =>
    (await runSotto(['open', '--print'], { SOTTO_DATA_DIR: dataDir })).stdout.trim()
  let token: Promise<string> | undefined
  async function session(): Promise<string> {
    // Leave the announced address for the test that opens it.
    const { origin, hash } = new URL(await newAddress())
    const response = await fetch(`${origin}/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: hash.slice('#code='.length) }),
    })
    return ((await response.json()) as { token: string }).token
  }
  const api: SottoProcess['api'] = async (path, input, signal) => {
    token ??= session()
    return fetch(`${new URL(ready.ui).origin}/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await token}` },
      body: JSON.stringify({ json: input }),
      ...(signal && { signal }),
    })
  }
  return {
    child,
    ready,
    api,
    call: async (path, input) => ((await (await api(path, input)).json()) as { json: unknown }).json,
    stderr: () => errors,
    newAddress,
    stop: async (signal) => {
      if (child.exitCode === null && child.signalCode === null) {
        const exited = once(child, 'exit')
        child.kill(signal)
        await exited
      }
      return child.exitCode
    },
  }
}
