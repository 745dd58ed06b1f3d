import { expect } from 'vitest'

/** Of an account that the simulated service created whole: both its credentials. */
export function bothOf({ apiKey, creditId }: { readonly apiKey?: string; readonly creditId?: string }): {
  apiKey: string
  creditId: string
} {
  return { apiKey: apiKey ?? expect.fail('no API key'), creditId: creditId ?? expect.fail('no credit ID') }
}
