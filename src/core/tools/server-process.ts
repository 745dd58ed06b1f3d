import { spawn, type ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { deserializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client'
import { SottoError } from '../../shared/errors.ts'
import type { ProgramCall } from './isolation.ts'

/** Bytes of one message: the largest result that a server may send, with images. */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024
/** How long a server may take to end after its input was closed or it was asked to end. */
const END_MS = 2000

type Child = ChildProcessByStdio<Writable, Readable, Readable>

export interface ServerStart {
  /** The isolated program, see isolateProgram. */
  readonly program: ProgramCall
  /** The working folder, which exists. */
  readonly folder: string
  readonly environment: Readonly<Record<string, string>>
}

/**
 * A stdio server in a process group of its own, as a transport of the MCP client. The server controls every
 * byte that arrives: a message that is too long ends it, and a line that isn't a message is skipped.
 */
export class ServerProcess implements Transport {
  onmessage?: NonNullable<Transport['onmessage']>
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly #start: ServerStart
  #child: Child | undefined
  #chunks: Buffer[] = []
  #length = 0
  #exited: Promise<void> = Promise.resolve()

  constructor(start: ServerStart) {
    this.#start = start
  }

  /** Throws tools/server-failed if the program can't be started. */
  start(): Promise<void> {
    const { program, folder, environment } = this.#start
    return new Promise((resolve, reject) => {
      const child = spawn(program.file, [...program.args], {
        cwd: folder,
        env: { ...environment },
        stdio: ['pipe', 'pipe', 'pipe'],
        shell: false,
        windowsHide: true,
        // The leader of a new group, so that ending the group also ends what the server started.
        detached: process.platform !== 'win32',
      })
      this.#child = child
      child.once('spawn', resolve)
      child.once('error', (cause) => reject(new SottoError('tools/server-failed', { cause })))
      this.#exited = new Promise((exited) => {
        child.once('exit', () => exited())
        child.once('error', () => exited())
      })
      child.once('close', () => this.onclose?.())
      // A server that ended doesn't read any more.
      child.stdin.on('error', () => undefined)
      child.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
      // Nobody reads the log, but a full pipe would block the server.
      child.stderr.resume()
    })
  }

  /** Throws tools/server-failed if the server has ended. */
  send(message: JSONRPCMessage): Promise<void> {
    const child = this.#child
    if (!child?.stdin.writable || child.exitCode !== null)
      return Promise.reject(new SottoError('tools/server-failed'))
    return new Promise((resolve, reject) => {
      child.stdin.write(`${JSON.stringify(message)}\n`, (failure) =>
        failure ? reject(new SottoError('tools/server-failed', { cause: failure })) : resolve(),
      )
    })
  }

  /** Ends the whole process group, and resolves when the server has exited. */
  async close(): Promise<void> {
    const child = this.#child
    if (!child) return
    child.stdin.end()
    this.#signal('SIGTERM')
    const timer = setTimeout(() => this.#signal('SIGKILL'), END_MS)
    await this.#exited
    clearTimeout(timer)
    // What the server started may outlive it.
    this.#signal('SIGKILL')
  }

  #signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid
    if (pid === undefined) return
    try {
      if (process.platform === 'win32') this.#child?.kill(signal)
      else process.kill(-pid, signal)
    } catch {
      // The group has ended.
    }
  }

  #read(chunk: Buffer): void {
    let rest = chunk
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      const line = Buffer.concat([...this.#chunks, rest.subarray(0, end)])
      this.#chunks = []
      this.#length = 0
      rest = rest.subarray(end + 1)
      if (line.length > MAX_MESSAGE_BYTES) return this.#refuse()
      this.#take(line.toString('utf8'))
    }
    this.#length += rest.length
    if (this.#length > MAX_MESSAGE_BYTES) return this.#refuse()
    if (rest.length > 0) this.#chunks.push(rest)
  }

  #refuse(): void {
    this.#child?.stdout.removeAllListeners('data')
    this.#chunks = []
    this.onerror?.(new SottoError('tools/server-failed'))
    this.#signal('SIGKILL')
  }

  #take(line: string): void {
    if (line.trim() === '') return
    let message: JSONRPCMessage
    try {
      message = deserializeMessage(line)
    } catch {
      // Some servers write a log to their output.
      return
    }
    this.onmessage?.(message)
  }
}
