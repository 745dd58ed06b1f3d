import { SottoError } from '../../../shared/errors.ts'
import type { Verdict } from '../../../shared/verdict.ts'
import { confirmed } from '../confirmed.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

export function privacyArea(core: ApiContext, os: Implementer['privacy']) {
  function channel() {
    const { channel } = core.open().relay
    if (!channel) throw new SottoError('policy/none')
    return channel
  }

  return {
    current: os.current.handler(() => core.open().relay.channel?.current() ?? null),
    verify: os.verify.handler((): Promise<Verdict> => channel().verify()),
    acceptOlderRelease: os.acceptOlderRelease.handler(async ({ input, signal }) => {
      const verdict = channel().current()
      if (verdict?.release?.digest !== input.digest) throw new SottoError('attestation/older-release')
      await confirmed(core, `Trust the older release ${verdict.release.tag} of ${verdict.enclaveHost}.`, signal)
      core.open().store.verdicts.acceptOlder(verdict.enclaveHost, input.digest)
      return channel().verify()
    }),
  }
}
