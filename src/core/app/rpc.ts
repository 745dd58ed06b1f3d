import type { DesktopControls } from '../../shared/desktop-settings.ts'
import { SottoError } from '../../shared/errors.ts'
import { msg } from '../../shared/localized-text.ts'
import type { RouteFault, SandboxRoute } from '../../shared/sandbox-routes.ts'
import type { ApiContext, SandboxControls } from '../rpc/context.ts'
import { eventsWithFailures } from '../rpc/failure.ts'
import type { Implementer } from '../rpc/implementer.ts'
import { acceptQuestion } from '../storage/record-changes.ts'
import { askerOf, confirmed } from './confirm.ts'
import { faultReport } from './fault-report.ts'

/**
 * Handles appContract. `begin` and `acceptRecords` need an unlocked vault.
 * @throws {SottoError} vault/locked; from `acceptRecords` also confirm/…, store/rows-changed
 */
export function appArea(core: ApiContext, os: Implementer['app']) {
  return {
    status: os.status.handler(() => core.status()),
    acknowledge: os.acknowledge.handler(({ input }) => {
      core.acknowledge(input.noticeId)
      return core.status()
    }),
    begin: os.begin.handler(() => {
      core.open().store.settings.set('begun', 'yes')
      return core.status()
    }),
    acceptRecords: os.acceptRecords.handler(async ({ context, signal }) => {
      const changes = core.open().store.integrity.changes()
      if (changes.length === 0) return core.status()
      await confirmed(core, acceptQuestion(changes), { context, signal })
      core.acceptRecords()
      return core.status()
    }),
  }
}

/**
 * Handles profilesContract, even while the vault is locked. The status that `choose` returns is of the core
 * that it ends.
 * @throws {SottoError} profile/unknown, confirm/…, store/unwritable
 */
export function profilesArea(core: ApiContext, os: Implementer['profiles']) {
  return {
    list: os.list.handler(() => [...core.choices]),
    choose: os.choose.handler(async ({ input, ...call }) => {
      const choice = core.choices.find(({ id }) => id === input.profileId)
      if (!choice) throw new SottoError('profile/unknown')
      // Only the sandbox has no address.
      await confirmed(
        core,
        choice.baseUrl === undefined
          ? msg('Switch to demo mode?')
          : msg('Switch to the service {name} at {host}?', {
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

/**
 * Handles confirmationsContract, even while the vault is locked, because restoring the vault needs a
 * confirmation too.
 * @throws {SottoError} confirm/too-soon
 */
export function confirmationsArea(core: ApiContext, os: Implementer['confirmations']) {
  return {
    pending: os.pending.handler(({ context }) => core.confirm.pending(askerOf(context))),
    answer: os.answer.handler(({ input, context }) =>
      core.confirm.answer(askerOf(context), input.id, input.code),
    ),
  }
}

/** Handles windowsContract, even while the vault is locked: signing out a window never needs a passphrase. */
export function windowsArea({ windows, stopAnswersOf }: ApiContext, os: Implementer['windows']) {
  return {
    list: os.list.handler(({ context: { caller } }) =>
      windows.list().map((session) => ({ ...session, current: session.id === caller.id })),
    ),
    signOut: os.signOut.handler(({ input: { id } }) => {
      const signedOut = windows.signOut(id)
      if (signedOut) stopAnswersOf(id)
      return { signedOut }
    }),
  }
}

/**
 * Handles desktopContract. Without a desktop the two views are null.
 * @throws {SottoError} desktop/unavailable
 */
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

/** Handles diagnosticsContract, even while the vault is locked. */
export function diagnosticsArea(core: ApiContext, os: Implementer['diagnostics']) {
  return {
    contacts: os.contacts.handler(() => core.contacts()),
    watchLog: os.watchLog.handler(({ signal }) =>
      eventsWithFailures(core.recentLog.watch(signal ?? new AbortController().signal)),
    ),
    report: os.report.handler(async () => ({
      text: faultReport(await core.status(), core.recentLog.entries()),
    })),
  }
}

/**
 * Handles sandboxContract. If the service isn't the sandbox, both lists are empty and the wallet's fault is
 * null.
 * @throws {SottoError} sandbox/off – the service isn't the sandbox; sandbox/route-fault – the route is
 * unknown or can't have this fault
 */
export function sandboxArea(core: ApiContext, os: Implementer['sandbox']) {
  function sandbox(): SandboxControls {
    if (!core.sandbox) throw new SottoError('sandbox/off')
    return core.sandbox
  }

  return {
    faults: os.faults.handler(() => core.sandbox?.faults() ?? []),
    setFault: os.setFault.handler(({ input }) => {
      sandbox().setFault(input.fault, input.on)
      return sandbox().faults()
    }),
    platform: os.platform.handler(() => sandbox().platform()),
    setPlatform: os.setPlatform.handler(({ input }) => {
      sandbox().setPlatform(input.platform)
      return sandbox().platform()
    }),
    walletFault: os.walletFault.handler(async () => (await core.sandbox?.walletFault()) ?? null),
    setWalletFault: os.setWalletFault.handler(async ({ input: { fault } }) => {
      await (await sandbox().wallet()).setFault(fault)
      return sandbox().walletFault()
    }),
    routes: os.routes.handler(async () => [
      ...((await core.sandbox?.control().then((control) => control.routes())) ?? []),
    ]),
    setRouteFault: os.setRouteFault.handler(async ({ input: { routes, fault } }) => {
      const control = await sandbox().control()
      // All of them or none: if one can't have the fault, none gets it.
      const known = new Map(control.routes().map((route) => [route.name, route]))
      if (!routes.every((name) => can(known.get(name), fault))) throw new SottoError('sandbox/route-fault')
      for (const name of routes) control.setRouteFault(name, fault)
      return [...control.routes()]
    }),
  }
}

function can(route: SandboxRoute | undefined, fault: RouteFault | null): boolean {
  return (
    route !== undefined &&
    (route.fails || (fault?.status === undefined && fault?.cut !== true && fault?.stalled !== true))
  )
}
