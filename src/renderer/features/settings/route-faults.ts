import { t } from '@lingui/core/macro'
import type { RouteFault, SandboxRoute } from '../../../shared/sandbox-routes.ts'

interface Wrong {
  readonly id: string
  /** Describes how the sandbox then behaves. */
  readonly description: string
  readonly fault: Omit<RouteFault, 'latencyMs'>
}

/** The faults that a route can simulate, in addition to a delay. */
export const wrongs: readonly Wrong[] = [
  {
    id: 'none',
    get description() {
      return t`Responds normally`
    },
    fault: {},
  },
  {
    id: '401',
    get description() {
      return t`401: rejects the key`
    },
    fault: { status: 401 },
  },
  {
    id: '402',
    get description() {
      return t`402: insufficient balance`
    },
    fault: { status: 402 },
  },
  {
    id: '404',
    get description() {
      return t`404: not found`
    },
    fault: { status: 404 },
  },
  {
    id: '429',
    get description() {
      return t`429: rate limited`
    },
    fault: { status: 429, retryAfter: 7 },
  },
  {
    id: '500',
    get description() {
      return t`500: HTML error page`
    },
    fault: { status: 500 },
  },
  {
    id: '503',
    get description() {
      return t`503: unavailable`
    },
    fault: { status: 503 },
  },
  {
    id: 'stalled',
    get description() {
      return t`Stalls mid-response`
    },
    fault: { stalled: true },
  },
  {
    id: 'cut',
    get description() {
      return t`Cuts off mid-response`
    },
    fault: { cut: true },
  },
]

/** The longest delay, in ms. */
export const longestWait = 600_000

/** Undefined if the route's fault isn't in this list. */
export function wrongOf(fault: RouteFault | null): string | undefined {
  return wrongs.find(
    ({ fault: { status, cut = false, stalled = false } }) =>
      status === fault?.status && cut === (fault?.cut ?? false) && stalled === (fault?.stalled ?? false),
  )?.id
}

export function waitOf(fault: RouteFault | null): number {
  return fault?.latencyMs ?? 0
}

/** The value that all routes share; undefined if they differ. */
export function common<T>(
  routes: readonly SandboxRoute[],
  of: (fault: RouteFault | null) => T,
): T | undefined {
  const [first, ...others] = routes.map(({ fault }) => of(fault))
  return others.every((value) => value === first) ? first : undefined
}

/** The same fault with another kind of error; null if no fault remains. */
export function withWrong(fault: RouteFault | null, id: string): RouteFault | null {
  return fromParts(wrongs.find((wrong) => wrong.id === id)?.fault ?? {}, waitOf(fault))
}

/** The same fault with another delay, in ms. */
export function withWait(fault: RouteFault | null, ms: number): RouteFault | null {
  const { latencyMs: _, ...wrong } = fault ?? {}
  return fromParts(wrong, ms)
}

function fromParts(wrong: Omit<RouteFault, 'latencyMs'>, ms: number): RouteFault | null {
  const fault = { ...wrong, ...(ms > 0 && { latencyMs: ms }) }
  return Object.keys(fault).length === 0 ? null : fault
}

/** Groups the routes that get the same fault, so that one call can set it. */
export function byNewFault(
  routes: readonly SandboxRoute[],
  change: (fault: RouteFault | null) => RouteFault | null,
): { readonly names: string[]; readonly fault: RouteFault | null }[] {
  const orders = new Map<string, { names: string[]; fault: RouteFault | null }>()
  for (const { name, fault } of routes) {
    const wanted = change(fault)
    const order = orders.get(JSON.stringify(wanted))
    if (order) order.names.push(name)
    else orders.set(JSON.stringify(wanted), { names: [name], fault: wanted })
  }
  return [...orders.values()]
}

/** In the order of the sandbox's list. */
export function grouped(
  routes: readonly SandboxRoute[],
): { readonly group: string; readonly routes: readonly SandboxRoute[] }[] {
  return [...Map.groupBy(routes, ({ group }) => group)].map(([group, members]) => ({
    group,
    routes: members,
  }))
}
