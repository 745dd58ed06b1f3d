/*
 * As much of React as a hook needs that keeps something and waits for answers, without a page: stand it in for React by
 * `vi.mock('react', async () => (await import('./drawn-hook.ts')).hooks)`.
 */

interface Effect {
  readonly needs: readonly unknown[] | undefined
  end: (() => void) | undefined
}

interface Kept {
  readonly slots: unknown[]
  readonly effects: Map<number, Effect>
  at: number
  waiting: (() => void)[]
  redraw: () => void
}

let drawing: Kept | undefined

function now(): Kept {
  if (!drawing) throw new Error('A hook is called while something is drawn.')
  return drawing
}

function isAnother(before: readonly unknown[] | undefined, needs: readonly unknown[] | undefined): boolean {
  return !before || !needs || needs.some((each, at) => !Object.is(each, before[at]))
}

function isMaker(value: unknown): value is (before?: unknown) => unknown {
  return typeof value === 'function'
}

export const hooks = {
  useState(first: unknown): [unknown, (next: unknown) => void] {
    const kept = now()
    const at = kept.at++
    if (!(at in kept.slots)) kept.slots[at] = isMaker(first) ? first() : first
    return [
      kept.slots[at],
      (next) => {
        const value = isMaker(next) ? next(kept.slots[at]) : next
        if (Object.is(value, kept.slots[at])) return
        kept.slots[at] = value
        kept.redraw()
      },
    ]
  },
  useRef(current: unknown): unknown {
    const kept = now()
    return (kept.slots[kept.at++] ??= { current })
  },
  useId(): string {
    return `id-${String(now().at++)}`
  },
  useCallback(run: unknown): unknown {
    return run
  },
  useMemo(make: () => unknown): unknown {
    return make()
  },
  useDeferredValue(value: unknown): unknown {
    return value
  },
  useEffect(run: () => (() => void) | undefined, needs?: readonly unknown[]): void {
    const kept = now()
    const at = kept.at++
    const before = kept.effects.get(at)
    if (before && !isAnother(before.needs, needs)) return
    kept.waiting.push(() => {
      before?.end?.()
      kept.effects.set(at, { needs, end: run() })
    })
  },
}

/** Draws it at once, and again whenever what it keeps is another. */
export function draw<T>(hook: () => T): { readonly shown: () => T; readonly again: () => void } {
  const turn = { busy: false, wanted: true }
  const kept: Kept = {
    slots: [],
    effects: new Map(),
    at: 0,
    waiting: [],
    redraw: () => {
      turn.wanted = true
      if (!turn.busy) settle()
    },
  }
  let shown: T
  const settle = () => {
    turn.busy = true
    while (turn.wanted) {
      turn.wanted = false
      kept.at = 0
      drawing = kept
      shown = hook()
      drawing = undefined
      for (const effect of kept.waiting.splice(0)) effect()
    }
    turn.busy = false
  }
  settle()
  return { shown: () => shown, again: kept.redraw }
}

/** The properties of an element and of all within it. */
export function* elements(drawn: unknown): Generator<Readonly<Record<string, unknown>>> {
  if (Array.isArray(drawn)) for (const each of drawn) yield* elements(each)
  if (typeof drawn !== 'object' || drawn === null || !('props' in drawn)) return
  const { props } = drawn
  if (typeof props !== 'object' || props === null) return
  const members: Readonly<Record<string, unknown>> = { ...props }
  yield members
  yield* elements(members['children'])
}
