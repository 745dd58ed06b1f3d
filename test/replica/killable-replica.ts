import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { dataOf } from '../process/command-json.ts'

const readySchema = z.object({ event: z.literal('ready'), proxy: z.object({ baseUrl: z.string() }) })
const refusalSchema = z.object({ error: z.object({ code: z.string() }) })

/** An answer of a replica. */
export interface ReplicaAnswer {
  readonly status: number
  /** The code of a refusal. */
  readonly code: string | undefined
  readonly receiptId: string | null
}

/** A process of the command that is killed and started again. */
export class KillableReplica {
  readonly #command: string
  readonly #environment: Readonly<Record<string, string>>
  readonly #flags: readonly string[]
  #child: ChildProcess | undefined
  #baseUrl: Promise<string> = Promise.reject(new Error('The replica was never started.'))

  constructor(command: string, environment: Readonly<Record<string, string>>, flags: readonly string[] = []) {
    this.#command = command
    this.#environment = environment
    this.#flags = flags
    this.#baseUrl.catch(() => undefined)
  }

  /** Starts it in the background. Requests wait until it is ready. */
  start(): void {
    const child = spawn(process.execPath, [this.#command, 'serve', '--json', ...this.#flags], {
      env: { ...process.env, ...this.#environment, SOTTO_PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#child = child
    this.#baseUrl = firstLine(child).then((line) => readySchema.parse(dataOf(line)).proxy.baseUrl)
    this.#baseUrl.catch(() => undefined)
  }

  /** Starts it until that succeeds, because PostgreSQL may be away. */
  async started(): Promise<void> {
    for (;;)
      try {
        await this.#baseUrl
        return
      } catch {
        this.start()
      }
  }

  /** `http://127.0.0.1:PORT/v1` */
  baseUrl(): Promise<string> {
    return this.#baseUrl
  }

  async kill(): Promise<void> {
    const child = this.#child
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  /** Sends a request, and reads the whole answer. @returns null if none arrived */
  async post(path: string, key: string, body: object): Promise<ReplicaAnswer | null> {
    try {
      const response = await fetch(`${await this.#baseUrl}/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      const answer: unknown = await response.json()
      return {
        status: response.status,
        code: refusalSchema.safeParse(answer).data?.error.code,
        receiptId: response.headers.get('x-request-id'),
      }
    } catch {
      return null
    }
  }
}

async function firstLine(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('The replica has no output.')
  const lines = createInterface({ input: child.stdout })
  const ended = once(child, 'exit').then(() => ['{}'])
  const [line] = z
    .tuple([z.string()])
    .rest(z.unknown())
    .parse(await Promise.race([once(lines, 'line'), ended]))
  return line
}
