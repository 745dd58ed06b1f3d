import type { ErrorCode } from '../../src/shared/error-codes.ts'
import type { ServiceKey } from '../../src/shared/service-key.ts'
import { usd } from './mock-data.ts'

/** API keys of the mock service. A test changes them. */
export interface MockServiceKeys {
  list: ServiceKey[]
  unreadable: number
  /** Whether revoking the old key of a rotation works. */
  revokes: boolean
  /** Delays calls. */
  before: () => Promise<void>
}

const DAY = 86_400_000

export function serviceKey(id: string, name: string, part: Partial<ServiceKey> = {}): ServiceKey {
  return {
    id,
    name,
    cap: null,
    spentInPeriod: '0',
    spentInAll: '0',
    resetPeriod: null,
    resetsAt: null,
    expiresAt: null,
    createdAt: Date.now() - 20 * DAY,
    updatedAt: Date.now() - DAY,
    revokedAt: null,
    inUse: false,
    ...part,
  }
}

export function secretOf(id: string): string {
  return `sk-secret0of0${id}0ZyXwVu`
}

/** Keys of every kind. */
export function someServiceKeys(now: number): ServiceKey[] {
  return [
    serviceKey('k1', 'Default', { inUse: true, spentInAll: usd(7.3183), spentInPeriod: usd(7.3183) }),
    serviceKey('k2', 'Build server', {
      cap: usd(5),
      spentInPeriod: usd(1.9274),
      spentInAll: usd(31.02),
      resetPeriod: 'weekly',
      resetsAt: now + 3 * DAY,
      expiresAt: now + 30 * DAY,
    }),
    serviceKey('k3', 'Notebook', {
      cap: usd(2),
      spentInPeriod: usd(2),
      spentInAll: usd(2),
      expiresAt: now - DAY,
    }),
    { id: 'k4', name: 'Said little of', inUse: false },
    serviceKey('k5', 'Old laptop', { revokedAt: now - 3 * DAY, spentInAll: usd(3.2) }),
  ]
}

export function mockServiceKeys(): MockServiceKeys {
  return {
    list: [serviceKey('k1', 'Default', { inUse: true })],
    unreadable: 0,
    revokes: true,
    before: () => Promise.resolve(),
  }
}

interface Around {
  readonly state: { serviceKeys: MockServiceKeys }
  readonly refuse: (code: ErrorCode) => never
  readonly confirm: (question: string, signal: AbortSignal | undefined) => Promise<void>
}

interface Terms {
  readonly name: string
  readonly cap: string | null
  readonly resetPeriod: 'daily' | 'weekly' | 'monthly' | null
  readonly expiresAt: number | null
}

/** The procedures for API keys of the mock core, without a service. */
export function createMockServiceKeys({ state: { serviceKeys }, refuse, confirm }: Around) {
  let count = 0
  const find = (keyId: string): ServiceKey =>
    serviceKeys.list.find(({ id }) => id === keyId) ?? refuse('service/not-found')
  const put = (changed: ServiceKey): ServiceKey => {
    serviceKeys.list = serviceKeys.list.map((key) => (key.id === changed.id ? changed : key))
    return changed
  }
  const make = (name: string, part: Partial<ServiceKey>) => {
    const key = serviceKey(`made${String((count += 1))}`, name, { createdAt: Date.now(), ...part })
    serviceKeys.list = [...serviceKeys.list, key]
    return { key, secret: secretOf(key.id) }
  }
  const pico = (cap: string | null) => (cap === null ? null : usd(Number(cap)))
  return {
    async list(includeRevoked: boolean) {
      await serviceKeys.before()
      return {
        keys: serviceKeys.list.filter(({ revokedAt }) => includeRevoked || typeof revokedAt !== 'number'),
        unreadable: serviceKeys.unreadable,
      }
    },
    async create({ name, cap, resetPeriod, expiresAt }: Terms) {
      await serviceKeys.before()
      return make(name, { cap: pico(cap), resetPeriod, expiresAt })
    },
    update({
      keyId,
      cap,
      ...change
    }: { keyId: string } & { [Member in keyof Terms]?: Terms[Member] | undefined }): ServiceKey {
      const { name, resetPeriod, expiresAt } = change
      const known = find(keyId)
      return put({
        ...known,
        ...(name !== undefined && { name }),
        ...(cap !== undefined && { cap: pico(cap) }),
        ...(expiresAt !== undefined && { expiresAt }),
        ...(resetPeriod !== undefined && { resetPeriod, spentInPeriod: '0' }),
      })
    },
    async revoke(keyId: string, signal: AbortSignal | undefined): Promise<ServiceKey> {
      const known = find(keyId)
      if (known.inUse) await confirm(`Revoke the key ${known.name}, which this installation uses.`, signal)
      return put({ ...known, revokedAt: Date.now(), inUse: false })
    },
    async rotate(keyId: string, signal: AbortSignal | undefined) {
      const known = find(keyId)
      await confirm(`Give the key ${known.name} a successor.`, signal)
      const { id: _, ...terms } = known
      const created = make(known.name, {
        ...terms,
        spentInPeriod: '0',
        spentInAll: '0',
        createdAt: Date.now(),
      })
      put({ ...known, inUse: false, ...(serviceKeys.revokes && { revokedAt: Date.now() }) })
      return { ...created, revoked: serviceKeys.revokes }
    },
    async reveal(keyId: string, signal: AbortSignal | undefined) {
      await confirm(`Show the key ${find(keyId).name}.`, signal)
      return { secret: secretOf(keyId) }
    },
  }
}
