import { SottoError } from '../../../shared/errors.ts'
import { say } from '../../../shared/say.ts'
import { confirmed } from '../confirmed.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

/**
 * Answers profilesContract, also while the vault is shut. The status that `choose` gives is of the core that the choice ends. Throws
 * profile/unknown, confirm/…, store/unwritable.
 */
export function profilesArea(core: ApiContext, os: Implementer['profiles']) {
  return {
    list: os.list.handler(() => [...core.choices]),
    choose: os.choose.handler(async ({ input, ...call }) => {
      const choice = core.choices.find(({ id }) => id === input.profileId)
      if (!choice) throw new SottoError('profile/unknown')
      // Only the sandbox has no address of its own.
      await confirmed(
        core,
        choice.baseUrl === undefined
          ? say('Switch to demo mode?')
          : say('Switch to the service {name} at {host}?', {
              name: choice.name,
              host: new URL(choice.baseUrl).host,
            }),
        call,
      )
      const status = await core.status()
      await core.choose(choice.id)
      return status
    }),
  }
}
