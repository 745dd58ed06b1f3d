import type { Random } from './random.ts'
import { Decimal, type WireObject, type WireValue } from './wire-value.ts'

/** A list as it's sent, and how many of its members the client can't read. */
export interface SentList {
  readonly body: WireValue
  readonly unreadable: number
}

/** The shapes that the specification leaves open, chosen at random. */
export interface UnspecifiedShapes {
  /** An object that is the answer, or is below `data`. */
  object(content: WireObject): WireObject
  /** A list that is the answer, or is below `data` or its name. */
  list(entries: readonly WireObject[], name: string): SentList
  /** A list, or one in groups. @param labels the members that may name an entry's group */
  grouped(entries: readonly WireObject[], name: string, labels: readonly string[]): SentList
  /** A list's members, mixed with entries that don't belong there. */
  withNoise(entries: readonly WireValue[]): { readonly members: WireValue[]; readonly noise: number }
  /** An ID under one of its names. */
  named(names: readonly string[], value: WireValue): WireObject
  anyCase(text: string): string
  /**
   * A time in a format that the specification doesn't define: ISO 8601, or Unix time in seconds or ms.
   * @param ms in whole seconds
   */
  moment(ms: number): WireValue
  /** Nothing, null, or unknown members. */
  extras(): WireObject
}

const NOISE: readonly WireValue[] = [null, {}, [], 'noise', true, { surprise: 1 }, [null]]

export function createOpenShapes(random: Random): UnspecifiedShapes {
  const envelope = (): WireObject =>
    random.pick<WireObject>([
      {},
      { status: 'success' },
      { success: true },
      { object: 'list' },
      { message: 'OK', request_id: 'r-1' },
      { error: null },
    ])
  const extras = (): WireObject =>
    random.pick<WireObject>([
      {},
      {},
      { surprise: { nested: [true] } },
      { note: null },
      { _v: new Decimal('3') },
    ])
  const withNoise = (entries: readonly WireValue[]): { members: WireValue[]; noise: number } => {
    const members = [...entries]
    const noise = random.chance(0.5) ? 0 : random.int(1, 3)
    for (let count = 0; count < noise; count++)
      members.splice(random.int(0, members.length), 0, random.pick(NOISE))
    return { members, noise }
  }
  const list = (entries: readonly WireObject[], name: string): SentList => {
    const { members, noise } = withNoise(entries)
    const body = random.pick<() => WireValue>([
      () => members,
      () => ({ ...envelope(), data: members }),
      () => ({ ...envelope(), [name]: members }),
      () => ({ ...envelope(), data: { [name]: members } }),
    ])()
    return { body, unreadable: noise }
  }
  return {
    object: (content) =>
      random.pick<() => WireObject>([
        () => ({ ...content, ...extras() }),
        () => ({ ...envelope(), data: { ...content, ...extras() } }),
      ])(),
    list,
    grouped(entries, name, labels) {
      const group = (entry: WireObject): string =>
        labels.map((label) => entry[label]).find((value) => typeof value === 'string') ?? 'other'
      if (random.chance(0.4)) return list(entries, name)
      const names = [...new Set(entries.map(group))]
      const { groups, unreadable } = names.reduce<{ groups: WireObject; unreadable: number }>(
        (all, each) => {
          const { members, noise } = withNoise(entries.filter((entry) => group(entry) === each))
          return { groups: { ...all.groups, [each]: members }, unreadable: all.unreadable + noise }
        },
        { groups: {}, unreadable: 0 },
      )
      const empty = random.chance(0.3) ? { gone: null } : {}
      const all = { ...groups, ...empty }
      return {
        body: random.pick([all, { ...envelope(), data: all }]),
        unreadable: unreadable + ('gone' in empty ? 1 : 0),
      }
    },
    withNoise,
    named: (names, value) => ({ [random.pick(names)]: value }),
    anyCase: (text) =>
      random.pick([text, text.toLowerCase(), `${text.slice(0, 1)}${text.slice(1).toLowerCase()}`]),
    moment: (ms) =>
      random.pick<() => WireValue>([
        () => new Date(ms).toISOString(),
        () => new Date(ms).toISOString().replace('.000Z', '+00:00'),
        () => new Decimal(String(ms / 1000)),
        () => new Decimal(String(ms)),
      ])(),
    extras,
  }
}
