import usual from './examples.json'

type Input = Readonly<Record<string, unknown>>

/**
 * How a lookup may be asked, by the end of its path. What these take is not specified, and each provider names its fields itself:
 * the examples are what is usual there, for a person to begin with.
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
