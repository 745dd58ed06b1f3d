import { atDoor, print } from './at-door.ts'

interface Output {
  /** One line of JSON on standard output. */
  readonly json: boolean
}

/** `sotto privacy replace-cache-secrets`. Returns the exit code, as the others do. */
export function replaceCacheSecrets({ json }: Output): Promise<number> {
  return atDoor(json, async ({ privacy }) => {
    await privacy.renewCacheSecret()
    print(json, { replaced: true }, 'Secrets replaced.')
    return 0
  })
}
