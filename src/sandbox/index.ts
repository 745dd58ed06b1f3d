import { chmodSync, mkdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { Arrivals, ArrivingMessage } from './arrival.ts'
import { FaultSwitches } from './faults.ts'
import type { QueryRecord } from './ledger/record.ts'
import { once, createContext } from './create-context.ts'
import { sandboxProfile, serviceEnclave } from './profile.ts'
import { ReceivedLog, type ServiceContext } from './service-context.ts'
import type { LightningNodes } from './payment/lightning-node.ts'
import type { LedgerEntry, Sandbox, SandboxOptions } from './sandbox.ts'
import type { RunningService } from './service.ts'
import { Enclave } from './world/enclave.ts'
import type { Roots } from './world/roots.ts'

export type { Paid, SandboxControl } from './control.ts'
export type { LightningNodes } from './payment/lightning-node.ts'
export type { SandboxWallet, WalletConnectionName } from './wallet/index.ts'
export type { ServiceEnclaveProvenance } from './world/service-enclave/provenance.ts'
export type { LedgerEntry, Pace, ReceivedRequest, Revision, Sandbox, SandboxOptions } from './sandbox.ts'

/**
 * Starts two Lightning nodes with a channel between them. @returns undefined if their package isn't
 * installed
 */
export async function startRealLightning(): Promise<LightningNodes | undefined> {
  try {
    const { startLdkNodes } = await import('./lightning/ldk-nodes.ts')
    return await startLdkNodes()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/**
 * Starts the simulated service on 127.0.0.1. Returns once the port is bound: roots are generated and routes
 * loaded on first use.
 * @throws the error of `listen` if the port is in use
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { folder, port = 0, now = Date.now, revision = 'B' } = options
  const hasServiceEnclave = options.serviceEnclave === true && revision === 'B'
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)

  const faults = new FaultSwitches()
  const log = new ReceivedLog()
  const arrivals = new Arrivals(log, now)
  const enclave = new Enclave()
  let open = true

  let opened: ServiceContext | undefined
  const context = () => (opened ??= createContext(options, baseUrl, faults))
  const roots = once<Roots>(async () => (await import('./world/roots.ts')).loadRoots(folder, () => open))
  const service = once<RunningService>(async () => {
    const { createService } = await import('./service.ts')
    return createService(server, context(), {
      enclave,
      roots,
      arrivals,
      controlToken: options.controlToken,
      serviceEnclave: hasServiceEnclave,
    })
  })

  const server = createServer({ IncomingMessage: ArrivingMessage }, (request, response) => {
    response.setHeader('x-sotto-service', 'sandbox')
    arrivals.begin(request, response)
    service().then(
      ({ handle }) => handle(request, response),
      () => response.destroy(),
    )
  })
  // Node's default of five seconds could close a pooled connection just when its next request is sent.
  server.keepAliveTimeout = 72_000
  const baseUrl = `http://127.0.0.1:${String(await listen(server, port))}`

  return {
    baseUrl,
    profile: {
      ...sandboxProfile(baseUrl),
      ...(hasServiceEnclave && { serviceEnclave: serviceEnclave(baseUrl) }),
    },
    trust: async () => (await roots()).trust,
    faults: () => faults.list(),
    setFault: (fault, on) => faults.set(fault, on),
    platform: () => enclave.platform,
    setPlatform: (platform) => enclave.moveTo(platform),
    rotateKey: () => enclave.rotate(),
    received: () => log.list(),
    clearReceived: () => log.clear(),
    ledger: () => context().ledger.records().map(entryOf),
    control: async () => (await service()).control,
    wallet: () => context().wallet(),
    walletFault: async () => (await opened?.openedWallet())?.fault() ?? null,
    serviceEnclaveProvenance: async () => {
      if (!hasServiceEnclave) throw new Error('this sandbox has no service enclave')
      const { mintServiceEnclaveProvenance } = await import('./world/service-enclave/provenance.ts')
      return mintServiceEnclaveProvenance({ roots: await roots(), now: now() })
    },
    close: async () => {
      if (!open) return
      open = false
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
      await opened?.close()
    },
  }
}

function entryOf(record: QueryRecord): LedgerEntry {
  return {
    at: record.at,
    account: record.creditId ?? record.paymentHash ?? '',
    model: record.model,
    inputTokens: record.inputCount,
    outputTokens: record.outputCount,
    picoUsd: record.picoUsd,
    aborted: record.aborted,
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject)
      const address = server.address()
      if (address === null || typeof address === 'string') reject(new Error('the sandbox listens on no port'))
      else resolve(address.port)
    })
  })
}
