import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire, registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import { afterAll, vi } from 'vitest'
import type { contract } from '../../src/shared/contract/sotto-contract.ts'
import type * as Stub from './electron-stub.ts'

export type Electron = typeof Stub

const root = resolve(import.meta.dirname, '../..')
const builtMain = join(root, 'out/main/index.js')
export const builtPreload = join(root, 'out/preload/index.cjs')
export const WINDOW_ORIGIN = 'app://sotto'

/** Returns false and prints the reason if nothing was built. If CI is set, it throws instead. */
export function isBuilt(): boolean {
  if ([builtMain, builtPreload, join(root, 'out/renderer/index.html')].every((file) => existsSync(file)))
    return true
  if (process.env['CI'] === 'true') throw new Error('out/ is not built: run "npm run build" first')
  process.stderr.write('test/shell is skipped: out/ is not built ("npm run build")\n')
  return false
}

const folders: string[] = []
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })))

export function temporaryDataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sotto-shell-'))
  folders.push(folder)
  return folder
}

export interface Launch {
  readonly dataDir?: string
  readonly environment?: Record<string, string>
  readonly world?: Partial<Electron['world']>
}

const realNow = performance.now.bind(performance)
let passedMs = 0
/**
 * Advances by an hour the clock that rate-limits the questions of the built main, so that earlier refusals no
 * longer block new questions.
 */
export function passAnHour(): void {
  passedMs += 3_600_000
  vi.spyOn(performance, 'now').mockImplementation(() => realNow() + passedMs)
}

/**
 * Loads the built main into this process, once, with the stub in place of Electron. Resolves when Electron could be
 * `ready`.
 */
export async function launch({
  dataDir = temporaryDataFolder(),
  environment = {},
  world = {},
}: Launch = {}): Promise<{ electron: Electron; dataDir: string }> {
  const stub = pathToFileURL(join(import.meta.dirname, 'electron-stub.ts')).href
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'electron' ? { url: stub, shortCircuit: true } : next(specifier, context),
  })
  Object.assign(process.env, {
    SOTTO_DATA_DIR: dataDir,
    SOTTO_VAULT: 'memory',
    SOTTO_PORT: '0',
    ...environment,
  })
  const require = createRequire(import.meta.url)
  const electron = require('electron') as Electron
  Object.assign(electron.world, world)
  // Node loads the file, as Electron does, and waits for its top-level awaits.
  const { load } = require(join(import.meta.dirname, 'load.mjs')) as {
    load: (url: string) => Promise<unknown>
  }
  await load(pathToFileURL(builtMain).href)
  return { electron, dataDir }
}

/** A request as `protocol.handle` passes it on; `null` if the browser itself started it, as for a navigation. */
export function windowRequest(
  url: string,
  init: RequestInit = {},
  initiatorOrigin: string | null = WINDOW_ORIGIN,
): Request {
  const request = new Request(url, init)
  if (initiatorOrigin !== null) Object.assign(request, { initiatorOrigin })
  return request
}

export type Handler = (request: Request) => Promise<Response>

/** Calls the core as the page does, over the handler of its scheme. */
export function clientOver(handler: Handler): ContractRouterClient<typeof contract> {
  return createORPCClient(
    new RPCLink({
      url: `${WINDOW_ORIGIN}/api`,
      fetch: async (request) =>
        handler(
          windowRequest(request.url, {
            method: request.method,
            headers: request.headers,
            body: await request.arrayBuffer(),
          }),
        ),
    }),
  )
}
