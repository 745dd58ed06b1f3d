import { createORPCClient } from '@orpc/client'
import { RPCLink } from '@orpc/client/fetch'
import type { ContractRouterClient } from '@orpc/contract'
import type { contract } from '../../../src/shared/contract/sotto-contract.ts'
import type { KeyCall } from '../../../src/shared/tool-call.ts'
import type { World } from '../../world.ts'
import { windowCaller } from '../../window-caller.ts'

/** The window's client of the contract. */
export function windowOf({ core }: Pick<World, 'core'>): ContractRouterClient<typeof contract> {
  return createORPCClient(
    new RPCLink({ url: 'http://sotto.invalid/api', fetch: (request) => core.api(request, windowCaller) }),
  )
}

type Decide = (call: KeyCall) => 'once' | 'always' | 'refuse' | undefined

/** A window that shows the calls of local keys, and answers each with `decide`; undefined leaves it open. */
export class KeyWindow implements AsyncDisposable {
  /** The calls that were shown, each once. */
  readonly shown: KeyCall[] = []
  decide: Decide = () => 'once'
  readonly #world: World
  readonly #left = new AbortController()
  readonly #following: Promise<void>

  private constructor(world: World, opened: () => void) {
    this.#world = world
    this.#following = this.#follow(opened)
  }

  /** Resolves when the core knows that the window is open. */
  static async open(world: World): Promise<KeyWindow> {
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const window = new KeyWindow(world, () => resolve(undefined))
    await promise
    return window
  }

  async #follow(opened: () => void): Promise<void> {
    const response = await this.#world.core.api(
      new Request('http://sotto.invalid/api/tools/keyCalls', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
        signal: this.#left.signal,
      }),
      windowCaller,
    )
    const decoder = new TextDecoder()
    let text = ''
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk as Uint8Array, { stream: true })
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const data = /^data: (.+)$/m.exec(text.slice(0, end))?.[1]
          text = text.slice(end + 2)
          if (data === undefined) continue
          opened()
          for (const call of (JSON.parse(data) as { json?: KeyCall[] }).json ?? []) await this.#answer(call)
        }
      }
    } catch (thrown) {
      if (!this.#left.signal.aborted) throw thrown
    }
  }

  async #answer(call: KeyCall): Promise<void> {
    if (this.shown.some(({ step }) => step.id === call.step.id)) return
    this.shown.push(call)
    const decision = this.decide(call)
    if (decision) await this.#world.call('tools/decide', { callId: call.step.id, decision })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#left.abort()
    await this.#following
  }
}
