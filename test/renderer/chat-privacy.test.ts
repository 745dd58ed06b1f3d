import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ServiceEnclaveView } from '../../src/shared/chat-route.ts'
import type { Status } from '../../src/shared/status.ts'

const view = vi.fn<() => Promise<unknown>>()

vi.mock('../../src/renderer/ui/api.ts', () => ({
  inDesktop: true,
  api: { serviceEnclave: { view: () => view() } },
}))

const { setStatus } = await import('../../src/renderer/ui/status-store.ts')
const { currentScope } = await import('../../src/renderer/data/service-scope.tsx')
const { readServiceEnclave, showServiceEnclave } =
  await import('../../src/renderer/ui/service-enclave-store.ts')
const { chatPrivacy, getCurrentChat: currentChatOf } = await import('../../src/renderer/ui/current-chat.ts')

/** Only the service and whether the vault is open are of use here. */
const status = (plaintextChat: 'relayed' | 'forwarded', profileId = 'one'): Status =>
  ({
    service: { profileId, baseUrl: 'https://a.example', openChat: plaintextChat },
    account: { connected: false },
    vault: { state: 'open' },
  }) as Status
/** Only the route and whether the verdict is good are of use here. */
const chosen = (route: ServiceEnclaveView['route'], good: boolean | null = null) =>
  ({ route, verdict: good === null ? null : { good } }) as ServiceEnclaveView

describe('the readers of a chat with a model that isn’t private', () => {
  it('include the service unless the status reports relaying', () => {
    expect(currentChatOf(undefined, undefined)).toEqual({ privacy: 'forwarded', mayForward: false })
    expect(currentChatOf({ openChat: 'forwarded' }, chosen('relayed', true))).toEqual({
      privacy: 'forwarded',
      mayForward: false,
    })
  })

  it('are only the provider if nothing else is allowed, whatever the verdict', () => {
    for (const good of [null, true, false])
      expect(currentChatOf({ openChat: 'relayed' }, chosen('relayed', good))).toEqual({
        privacy: 'relayed',
        mayForward: false,
      })
  })

  it('may include the service until the choice is known, or if the choice allows forwarding', () => {
    for (const unsure of [
      undefined,
      null,
      chosen('relayed-if-verified'),
      chosen('relayed-if-verified', true),
    ])
      expect(currentChatOf({ openChat: 'relayed' }, unsure)).toEqual({ privacy: 'relayed', mayForward: true })
    expect(currentChatOf({ openChat: 'relayed' }, chosen('relayed-if-verified', false))).toEqual({
      privacy: 'forwarded',
      mayForward: false,
    })
    // A newer choice than the status.
    expect(currentChatOf({ openChat: 'relayed' }, chosen('forwarded'))).toEqual({
      privacy: 'forwarded',
      mayForward: false,
    })
  })

  it('are only the enclave for a private model', () => {
    expect(chatPrivacy(true, { privacy: 'relayed', mayForward: true })).toBe('sealed')
    expect(chatPrivacy(false, { privacy: 'relayed', mayForward: true })).toBe('relayed')
    expect(chatPrivacy(false, { privacy: 'forwarded', mayForward: false })).toBe('forwarded')
  })
})

describe('the view of the service’s enclave', () => {
  beforeEach(() => {
    view.mockReset()
    setStatus(status('forwarded', 'before'))
    setStatus(status('forwarded'))
  })

  it('is loaded with each status that reports relaying, and only then', async () => {
    view.mockResolvedValue(chosen('relayed', true))
    setStatus(status('forwarded'))
    expect(view).not.toHaveBeenCalled()
    setStatus(status('relayed'))
    await vi.waitFor(() => expect(readServiceEnclave().view?.route).toBe('relayed'))
    setStatus(status('relayed'))
    expect(view).toHaveBeenCalledTimes(2)
  })

  it('isn’t replaced by a response to a request from before a choice', async () => {
    let answer = (_: unknown): void => undefined
    view.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)))
    setStatus(status('relayed'))
    showServiceEnclave(currentScope(), chosen('relayed-if-verified'))
    answer(chosen('relayed'))
    await Promise.resolve()
    await Promise.resolve()
    expect(readServiceEnclave().view?.route).toBe('relayed-if-verified')
  })

  it('has the reason if it couldn’t be loaded, and is cleared when the service changes', async () => {
    showServiceEnclave(currentScope(), chosen('relayed'))
    view.mockRejectedValue(new TypeError('fetch failed'))
    setStatus(status('relayed'))
    await vi.waitFor(() => expect(readServiceEnclave().failure?.code).toBe('window/unreachable'))
    expect(readServiceEnclave().view?.route).toBe('relayed')
    setStatus(status('forwarded', 'two'))
    expect(readServiceEnclave()).toMatchObject({ view: undefined, failure: undefined })
  })
})
