import { SottoError } from '../../../shared/errors.ts'
import { confirmed } from '../confirmed.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

export function profilesArea(core: ApiContext, os: Implementer['profiles']) {
  return {
    list: os.list.handler(() => [...core.choices]),
    choose: os.choose.handler(async ({ input, signal }) => {
      const choice = core.choices.find(({ id }) => id === input.profileId)
      if (!choice) throw new SottoError('profile/unknown')
      await confirmed(core, `Change the service to ${choice.name}${choice.baseUrl === undefined ? '' : ` at ${new URL(choice.baseUrl).host}`}.`, signal)
      const status = await core.status()
      core.choose(choice.id)
      return status
    }),
  }
}
