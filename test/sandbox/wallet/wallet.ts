import {
  createNwcWallet,
  readNwcConnection,
  type NwcWallet,
  type NwcWalletOptions,
} from '../../../src/core/payments/nwc/index.ts'
import type { SandboxWallet } from '../../../src/sandbox/index.ts'
import { startService, type Service } from '../service-client.ts'
import type { SandboxOptions } from '../../../src/sandbox/index.ts'

export interface NwcWalletService extends Service {
  readonly wallet: SandboxWallet
  /** Our own client of it. */
  readonly nwc: NwcWallet
  /** An invoice of a challenge: it asks for money of nobody's account. */
  challenge(): Promise<string>
}

/** A sandbox with its wallet open, and the app's wallet connected to it. */
export async function startWithWallet(
  options: Partial<SandboxOptions> = {},
  wallet: Partial<NwcWalletOptions> = {},
): Promise<NwcWalletService> {
  const service = await startService(options)
  const opened = await service.sandbox.wallet()
  const nwc = createNwcWallet(readNwcConnection(opened.connection('sotto')), {
    now: () => service.clock.now,
    ...wallet,
  })
  return {
    ...service,
    wallet: opened,
    nwc,
    challenge: () => challengeOf(service),
    async [Symbol.asyncDispose]() {
      await nwc[Symbol.asyncDispose]()
      await service[Symbol.asyncDispose]()
    },
  }
}

export async function challengeOf({ sandbox }: Service): Promise<string> {
  const answer = await fetch(`${sandbox.baseUrl}/v1/videos`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'sandbox/carosello-video', prompt: String(Math.random()) }),
  })
  const [, request = ''] = /request="([^"]*)"/.exec(answer.headers.get('www-authenticate') ?? '') ?? []
  const read = JSON.parse(Buffer.from(request, 'base64url').toString()) as {
    methodDetails: { invoice: string }
  }
  return read.methodDetails.invoice
}
