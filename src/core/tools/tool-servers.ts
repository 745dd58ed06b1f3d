import { createHash, randomUUID } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { isAbsolute, join, relative } from 'node:path'
import type { ToolServerInput, ToolServerView } from '../../shared/contract/tools.ts'
import { SottoError } from '../../shared/errors.ts'
import type { ToolServerRecord } from '../../shared/tool-call.ts'
import type { Store } from '../storage/index.ts'
import { parseCatalogue, type ToolDefinition } from './catalogue.ts'
import { isAllowedVariable, serverEnvironment } from './environment.ts'
import { detectIsolation, isolateProgram, type NetworkIsolation } from './isolation.ts'
import type { ServerSession } from './mcp-session.ts'
import { digestProgram, resolveCommand } from './program-digest.ts'
import { parseServerAddress } from './remote/web-fetch.ts'
import type { RemotePorts } from './remote/remote-session.ts'
import type { SignInPorts } from './remote/sign-in.ts'

const MAX_SERVERS = 20

/** A server that runs, with the tools that may be offered. */
export interface RunningServer {
  readonly record: ToolServerRecord
  readonly session: ServerSession
  /** Those whose definition a person accepted. */
  readonly tools: readonly ToolDefinition[]
  readonly changed: readonly string[]
  readonly skipped: number
}

export interface ToolServersOptions {
  readonly store: Pick<Store, 'tools'>
  /** The data folder. Each server has a folder in it, and with bwrap sees nothing else of it. */
  readonly folder: string
  readonly version: string
  /** Ends consents of a server that changed or was removed. */
  readonly onChange: (serverId: string) => void
  readonly detect?: () => Promise<NetworkIsolation>
  /** For servers at an address. */
  readonly remote: RemotePorts
}

/** The servers that a person added. Each runs from its first use until it's removed, or Sotto locks or ends. */
export class ToolServers implements AsyncDisposable {
  readonly #options: ToolServersOptions
  readonly #running = new Map<string, Promise<RunningServer>>()
  readonly #failures = new Map<string, SottoError>()
  #isolation: Promise<NetworkIsolation> | undefined
  #ended = false

  constructor(options: ToolServersOptions) {
    this.#options = options
  }

  /** What isolates servers here; detected once. */
  isolation(): Promise<NetworkIsolation> {
    this.#isolation ??= (this.#options.detect ?? detectIsolation)()
    return this.#isolation
  }

  /** Whether the server has no network: it wasn't allowed to use it, and this system can prevent it. */
  async hasNoNetwork({ network }: Pick<ToolServerRecord, 'network'>): Promise<boolean> {
    return !network && (await this.isolation()) !== 'none'
  }

  /** @throws {SottoError} tools/server-unknown */
  get(id: string): ToolServerRecord {
    const record = this.#options.store.tools.servers().find((server) => server.id === id)
    if (!record) throw new SottoError('tools/server-unknown')
    return record
  }

  /** The hosts of servers at an address. */
  hosts(): string[] {
    return this.#options.store.tools
      .servers()
      .flatMap(({ address }) => (address ? [new URL(address).host] : []))
  }

  list(): Promise<ToolServerView[]> {
    return Promise.all(this.#options.store.tools.servers().map((record) => this.view(record)))
  }

  /**
   * Resolves the command of a new server and hashes its program, and saves nothing.
   * @throws {SottoError} tools/not-pinned, tools/command-unknown, tools/variable-refused, tools/name-taken,
   * tools/too-many-servers, tools/program-too-large
   */
  async propose(input: ToolServerInput): Promise<ToolServerRecord> {
    this.#requireFree(input.name)
    if (!Object.keys(input.environment).every(isAllowedVariable))
      throw new SottoError('tools/variable-refused')
    const command = await resolveCommand(input.command, process.env['PATH'])
    return {
      ...input,
      command,
      id: randomUUID(),
      programDigest: await digestProgram(command, input.args),
    }
  }

  /**
   * A new server at an address; nothing is saved or sent.
   * @throws {SottoError} tools/address-refused, tools/name-taken, tools/too-many-servers
   */
  proposeRemote({ name, address }: { readonly name: string; readonly address: string }): ToolServerRecord {
    this.#requireFree(name)
    const { href } = parseServerAddress(address)
    return {
      id: randomUUID(),
      name,
      command: '',
      address: href,
      args: [],
      environment: {},
      network: true,
      readOnly: false,
      programDigest: digestAddress(href),
    }
  }

  /**
   * Signs in at a server with an address, and connects to it.
   * @throws {SottoError} tools/server-unknown, tools/sign-in-…, request/canceled, confirm/…
   */
  async signIn(id: string, ports: Omit<SignInPorts, 'fetch' | 'now'>): Promise<ToolServerView> {
    const { address } = this.get(id)
    if (address === undefined) throw new SottoError('tools/sign-in-unsupported')
    const { fetch, now, tokens } = this.#options.remote
    const { signInAt } = await import('./remote/sign-in.ts')
    const signIn = await signInAt(new URL(address), { ...ports, fetch, now })
    // The server may have been removed while the person signed in.
    this.get(id)
    await tokens.save(id, signIn)
    await this.stop(id)
    await this.start(id).catch(() => undefined)
    return this.view(this.get(id))
  }

  /** Saves a proposed server and starts it. Its definitions are then pinned. */
  async add(record: ToolServerRecord): Promise<ToolServerView> {
    this.#options.store.tools.putServer(record)
    await this.start(record.id).catch(() => undefined)
    return this.view(this.get(record.id))
  }

  /** The server with the program as it is now, to be accepted; nothing is saved. */
  async proposeChange(id: string): Promise<ToolServerRecord> {
    const record = this.get(id)
    if (record.address !== undefined) return record
    return { ...record, programDigest: await digestProgram(record.command, record.args) }
  }

  /** Accepts a proposed change, and the definitions that the changed server states. */
  async accept(record: ToolServerRecord): Promise<ToolServerView> {
    await this.stop(record.id)
    const { definitions: _, ...unpinned } = record
    this.#options.store.tools.putServer(unpinned)
    this.#options.onChange(record.id)
    await this.start(record.id).catch(() => undefined)
    return this.view(this.get(record.id))
  }

  async remove(id: string): Promise<boolean> {
    await this.stop(id)
    this.#options.onChange(id)
    const removed = this.#options.store.tools.removeServer(id)
    await this.#options.remote.tokens.remove(id)
    if (removed) await rm(this.#folderOf(id), { recursive: true, force: true })
    return removed
  }

  /**
   * Starts a server unless it runs.
   * @throws {SottoError} tools/server-unknown, tools/program-changed, tools/server-failed
   */
  start(id: string): Promise<RunningServer> {
    const known = this.#running.get(id)
    if (known) return known
    const starting = this.#start(id)
    this.#running.set(id, starting)
    starting.then(
      ({ session }) => {
        this.#failures.delete(id)
        void session.closed.then(() => {
          if (this.#running.get(id) === starting) this.#running.delete(id)
        })
      },
      (thrown: unknown) => {
        this.#running.delete(id)
        if (thrown instanceof SottoError) this.#failures.set(id, thrown)
      },
    )
    return starting
  }

  async stop(id: string): Promise<void> {
    const running = await this.#running.get(id)?.catch(() => undefined)
    this.#running.delete(id)
    await running?.session.close()
  }

  async view(record: ToolServerRecord): Promise<ToolServerView> {
    const { environment, definitions: _, ...shown } = record
    const running = await this.#running.get(record.id)?.catch(() => undefined)
    const failure = running ? undefined : this.#failures.get(record.id)?.code
    return {
      ...shown,
      variables: Object.keys(environment),
      networkOff: await this.hasNoNetwork(record),
      state: running ? 'running' : failure === undefined ? 'stopped' : 'failed',
      ...(failure !== undefined && { failure }),
      tools: (running?.tools ?? []).map(({ name, description }) => ({ name, description })),
      changedTools: [...(running?.changed ?? [])],
      skippedTools: running?.skipped ?? 0,
    }
  }

  /** Ends every server. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true
    await Promise.all([...this.#running.keys()].map((id) => this.stop(id)))
  }

  async #start(id: string): Promise<RunningServer> {
    const record = this.get(id)
    const { store } = this.#options
    const session = await this.#connect(record)
    try {
      const { tools, skipped } = parseCatalogue(record.name, await session.listTools())
      if (this.#ended) throw new SottoError('tools/server-failed')
      const stated = Object.fromEntries(tools.map(({ name, digest }) => [name, digest]))
      const pinned = record.definitions ?? stated
      if (!record.definitions) store.tools.putServer({ ...record, definitions: stated })
      const isPinned = ({ name, digest }: ToolDefinition): boolean =>
        Object.hasOwn(pinned, name) && pinned[name] === digest
      return {
        record,
        session,
        skipped,
        tools: tools.filter(isPinned),
        changed: tools.filter((tool) => !isPinned(tool)).map(({ name }) => name),
      }
    } catch (thrown) {
      await session.close()
      throw thrown
    }
  }

  async #connect(record: ToolServerRecord): Promise<ServerSession> {
    const { version, folder: dataFolder, remote } = this.#options
    const { id, address } = record
    if (address !== undefined) {
      if (digestAddress(address) !== record.programDigest) throw new SottoError('tools/program-changed')
      const { connectRemoteServer } = await import('./remote/remote-session.ts')
      return connectRemoteServer({ id, address }, remote, version)
    }
    if ((await digestProgram(record.command, record.args)) !== record.programDigest)
      throw new SottoError('tools/program-changed')
    const folder = this.#folderOf(id)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const program = { file: record.command, args: record.args }
    const isInside = [record.command, ...record.args].some((path) => isBelow(path, dataFolder))
    const kind = record.network ? 'none' : await this.isolation()
    // Only when a server is used, because the client's code is large.
    const { connectServer } = await import('./mcp-session.ts')
    return connectServer(
      {
        program: isolateProgram(kind, program, { folder, hidden: isInside ? [] : [dataFolder] }),
        folder,
        environment: serverEnvironment(process.env, folder, record.environment),
      },
      version,
    )
  }

  #requireFree(name: string): void {
    const others = this.#options.store.tools.servers()
    if (others.length >= MAX_SERVERS) throw new SottoError('tools/too-many-servers')
    if (others.some((other) => other.name === name)) throw new SottoError('tools/name-taken')
  }

  #folderOf(id: string): string {
    return join(this.#options.folder, 'tools', id)
  }
}

/** Identifies a server at an address for its consents. */
function digestAddress(address: string): string {
  return createHash('sha256').update(address).digest('hex')
}

function isBelow(path: string, folder: string): boolean {
  if (!isAbsolute(path)) return false
  const way = relative(folder, path)
  return !way.startsWith('..') && !isAbsolute(way)
}
