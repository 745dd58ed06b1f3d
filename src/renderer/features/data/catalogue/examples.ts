import usual from './examples.json'

type Input = Readonly<Record<string, unknown>>

/**
 * An example request of a lookup, chosen by the end of its path. The specification doesn't define these
 * requests, and each provider names its fields differently. The examples have the usual fields, as a start
 * for the user.
 */
export function exampleOf({ path }: { readonly path: string }): Input {
  for (const [ends, input] of usual)
    if (typeof ends === 'string' && typeof input === 'object' && new RegExp(ends).test(path))
      return { ...input }
  return {}
}

export function asText(input: Input): string {
  return JSON.stringify(input, undefined, 2)
}
