/** The value below which `share` of the samples lie (nearest rank). Samples in any order, at least one. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? NaN
}

export const mean = (samples: readonly number[]): number =>
  samples.reduce((sum, sample) => sum + sample, 0) / samples.length

export const median = (samples: readonly number[]): number => quantile(samples, 0.5)

export interface Bounds {
  readonly rounds: number
  /** Samples that aren't measured by then are omitted. */
  readonly deadlineMs: number
}

/**
 * Measures several subjects side by side: one sample of each per round, in a rotating order. Other load on
 * the machine thus affects all subjects alike. `measure` returns the sample, or several samples of one turn.
 */
export async function interleave<Name extends string>(
  names: readonly Name[],
  bounds: Bounds & { readonly warmUp: number },
  measure: (name: Name) => number | readonly number[] | Promise<number | readonly number[]>,
): Promise<Record<Name, number[]>> {
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>
  const endsAt = performance.now() + bounds.deadlineMs
  for (let round = -bounds.warmUp; round < bounds.rounds && performance.now() < endsAt; round += 1) {
    for (let turn = 0; turn < names.length; turn += 1) {
      const name = names[(turn + round + bounds.warmUp) % names.length]
      if (name === undefined) continue
      const sample = await measure(name)
      if (round >= 0) samples[name].push(...[sample].flat())
    }
  }
  return samples
}

/** The duration of `work` in milliseconds. */
export function timed(work: () => unknown): number {
  const start = performance.now()
  work()
  return performance.now() - start
}
