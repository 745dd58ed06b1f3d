import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

/** Answers windowsContract, also while the vault is locked: to sign out a window never waits for a passphrase. */
export function windowsArea({ windows }: ApiContext, os: Implementer['windows']) {
  return {
    list: os.list.handler(({ context: { caller } }) =>
      windows.list().map((session) => ({ ...session, current: session.id === caller.id })),
    ),
    signOut: os.signOut.handler(({ input: { id } }) => ({ signedOut: windows.signOut(id) })),
  }
}
