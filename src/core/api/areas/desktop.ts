import { SottoError } from '../../../shared/errors.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

export function desktopArea({ desktop }: ApiContext, os: Implementer['desktop']) {
  return {
    view: os.view.handler(() => desktop?.view() ?? null),
    change: os.change.handler(({ input }) => {
      if (!desktop) throw new SottoError('desktop/none')
      return desktop.change(input)
    }),
  }
}
