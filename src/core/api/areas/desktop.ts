import type { DesktopControls } from '../../../shared/desktop-settings.ts'
import { SottoError } from '../../../shared/errors.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'

/** Answers desktopContract. Without a desktop the two views are null, and all else throws desktop/unavailable. */
export function desktopArea({ desktop }: ApiContext, os: Implementer['desktop']) {
  const present = (): DesktopControls => {
    if (!desktop) throw new SottoError('desktop/unavailable')
    return desktop
  }
  return {
    view: os.view.handler(() => desktop?.view() ?? null),
    change: os.change.handler(({ input }) => present().change(input)),
    updates: os.updates.handler(() => desktop?.updates.view() ?? null),
    checkForUpdate: os.checkForUpdate.handler(() => present().updates.check()),
    installUpdate: os.installUpdate.handler(() => present().updates.install()),
    changesSeen: os.changesSeen.handler(() => present().updates.changesSeen()),
  }
}
