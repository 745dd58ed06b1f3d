import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { ServiceEnclaveView } from '../../src/shared/chat-route.ts'
import type { Status } from '../../src/shared/status.ts'

const calls: string[] = []
let route: ServiceEnclaveView['route'] = 'relayed'
const answers = (name: string, answer: () => unknown) => (input?: unknown) => {
  calls.push(input === undefined ? name : `${name} ${JSON.stringify(input)}`)
  return Promise.resolve(answer())
}
const enclave = {
  view: vi.fn(answers('view', () => view())),
  verify: vi.fn(answers('verify', () => view({ verdict: { good: true } }))),
  setRoute: vi.fn(answers('setRoute', () => view())),
  setRule: vi.fn(answers('setRule', () => view({ rule: 'proven' }))),
  proveImage: vi.fn(answers('proveImage', () => view({ rule: 'proven' }))),
}

vi.mock('../../src/renderer/ui/api.ts', () => ({
  inDesktop: true,
  api: {
    app: {
      status: () => {
        calls.push('status')
        return Promise.resolve(status('one'))
      },
    },
    serviceEnclave: enclave,
  },
}))

const { setStatus, useStatus } = await import('../../src/renderer/ui/status-store.ts')
const { currentScope } = await import('../../src/renderer/data/service-scope.tsx')
const { readServiceEnclave, showServiceEnclave } =
  await import('../../src/renderer/ui/service-enclave-store.ts')
const { addProvenance, setChatRoute, setImageRule } =
  await import('../../src/renderer/features/privacy/other-models/service-enclave-acts.ts')

/** Only the parts that these tests read. */
const view = (part: object = {}) =>
  ({ route, rule: 'published', verdict: null, ...part }) as ServiceEnclaveView
const status = (profileId: string): Status =>
  ({
    service: {
      profileId,
      baseUrl: 'https://a.example',
      openChat: route === 'forwarded' ? 'forwarded' : 'relayed',
    },
    account: { connected: false },
    vault: { state: 'locked' },
  }) as Status

beforeEach(() => {
  route = 'forwarded'
  setStatus(status('one'))
  showServiceEnclave(currentScope(), view())
  calls.length = 0
})

describe('a choice about the service’s enclave', () => {
  it('of the route refreshes the status, so that the composer shows it', async () => {
    route = 'relayed'
    await setChatRoute('relayed')
    expect(calls).toEqual(['setRoute {"route":"relayed"}', 'status'])
    expect(readServiceEnclave().view?.route).toBe('relayed')
    expect(useStatus.getState().status?.service.openChat).toBe('relayed')
  })

  it('changes nothing if it isn’t confirmed', async () => {
    enclave.setRoute.mockRejectedValueOnce(new Error('confirm/refused'))
    await expect(setChatRoute('relayed')).rejects.toThrow('confirm/refused')
    expect(calls).toEqual([])
    expect(readServiceEnclave().view?.route).toBe('forwarded')
  })

  it('of the image rule verifies again only if there was a verdict', async () => {
    await setImageRule('proven')
    expect(calls).toEqual(['setRule {"rule":"proven"}'])
    showServiceEnclave(currentScope(), view({ verdict: { good: true } }))
    calls.length = 0
    await setImageRule('proven')
    expect(calls).toEqual(['setRule {"rule":"proven"}', 'verify'])
  })

  it('sends the files of a provenance unchanged', async () => {
    await addProvenance(Uint8Array.of(0, 255, 128), new TextEncoder().encode('{}'))
    expect(calls).toEqual(['proveImage {"file":"AP+A","bundle":"e30="}'])
  })

  it('isn’t shown or verified if the service was changed before the response', async () => {
    showServiceEnclave(currentScope(), view({ verdict: { good: true } }))
    let answer = (_: ServiceEnclaveView): void => undefined
    enclave.setRule.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)))
    const choosing = setImageRule('proven')
    setStatus(status('two'))
    answer(view({ rule: 'proven' }))
    await choosing
    expect(readServiceEnclave().view).toBeUndefined()
    expect(calls).toEqual([])
  })
})
