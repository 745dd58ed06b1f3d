import { SottoError } from '../../../shared/errors.ts'
import { raisings } from '../../../shared/limit-raising.ts'
import type { SpendingLimitsText } from '../../../shared/lightning.ts'
import { parseUsd } from '../../../shared/money.ts'
import { inEnglish, say, type Said, type Value } from '../../../shared/say.ts'
import type { AutomaticTopupView, WalletConnection } from '../../../shared/wallet.ts'
import { wireDollars } from '../../accounts/wire-dollars.ts'
import { connectAutomaticTopup, disconnectAutomaticTopup } from '../../service/account/automatic-topup.ts'
import { readAutomaticTopup } from '../../service/account/read/automatic-topup.ts'
import { readSpendingLimits, writeSpendingLimits } from '../../wallet/index.ts'
import { confirmed } from '../confirmed.ts'
import type { ApiContext } from '../context.ts'
import type { Implementer } from '../implementer.ts'
import { walletView } from '../wallet-view.ts'

/**
 * Answers walletContract. Connecting a wallet, raising a limit and handing the service a spending key are confirmed outside the window
 * first. Throws vault/locked, wallet/…, sandbox/off, request/invalid, service/…, store/damaged, confirm/….
 */
export function walletArea(core: ApiContext, os: Implementer['wallet']) {
  const view = () => walletView(core.open())
  const service = () => ({ fetch: core.fetch, access: () => core.open().accounts.access(), now: core.now })

  return {
    get: os.get.handler(() => view()),
    connect: os.connect.handler(async ({ input, ...call }) => {
      await core
        .open()
        .wallet.connect(input.connection, (found) => confirmed(core, questionOf(found), call), call.signal)
      return view()
    }),
    // Play money needs no asking.
    connectSandbox: os.connectSandbox.handler(async ({ signal }) => {
      await core.open().wallet.connectPretended(signal)
      return view()
    }),
    disconnect: os.disconnect.handler(async () => {
      await core.open().wallet.disconnect()
      return view()
    }),
    funds: os.funds.handler(({ signal }) => core.open().wallet.funds(signal)),
    setLimits: os.setLimits.handler(async ({ input, ...call }) => {
      const { settings } = core.open().store
      await confirmHigher(
        () => readSpendingLimits(settings),
        input,
        (more) =>
          confirmed(
            core,
            say('Raise Sotto’s spending limits for the connected wallet: {more}?', { more }),
            call,
          ),
      )
      writeSpendingLimits(settings, input)
      return view()
    }),
    forgetHost: os.forgetHost.handler(({ input }) => {
      core.open().store.payments.forgetHost(input.host)
      return view()
    }),
    resume: os.resume.handler(() => {
      core.open().payer.resumeAfterPause()
      return view()
    }),

    automaticTopup: os.automaticTopup.handler(({ signal }) => automaticTopup(signal)),
    connectAutomaticTopup: os.connectAutomaticTopup.handler(async ({ input, ...call }) => {
      // A confirmation may take minutes: the account that was active at its start is the one that gets the key.
      const access = core.open().accounts.access()
      const connection = await handedOver(input.connection)
      const { publicKey, relays } = await core.open().wallet.look(connection)
      if (await core.open().wallet.isConnected(connection)) throw new SottoError('wallet/same-connection')
      const [threshold, amount] = [
        wireDollars(input.threshold, 'threshold'),
        wireDollars(input.amount, 'amount'),
      ]
      const {
        service: { name },
      } = await core.status()
      const says = say(
        'Give the service “{name}” a spending key for the wallet {wallet} ({relays})? It charges {amount} whenever the balance falls below {threshold}, within the wallet’s limits. This continues until you remove the connection in the wallet.',
        {
          wallet: publicKey,
          relays: relays.join(', '),
          name,
          amount: usdValue(input.amount),
          threshold: usdValue(input.threshold),
        },
      )
      await confirmed(core, says, call)
      await connectAutomaticTopup(
        { ...service(), access: () => access },
        { connection, threshold, amount },
        { signal: call.signal },
      )
      return automaticTopup(call.signal)
    }),
    disconnectAutomaticTopup: os.disconnectAutomaticTopup.handler(async ({ signal }) => {
      await disconnectAutomaticTopup(service(), { signal })
      return automaticTopup(signal)
    }),
  }

  async function automaticTopup(signal: AbortSignal | undefined): Promise<AutomaticTopupView> {
    const found = await readAutomaticTopup(service(), { signal })
    if (!found.connected) return { connected: false }
    return {
      connected: true,
      ...(found.threshold !== undefined && { threshold: found.threshold.toString() }),
      ...(found.amount !== undefined && { amount: found.amount.toString() }),
    }
  }

  /** Where the sandbox is the service, its own wallet has a connection for it that nobody has to copy. */
  async function handedOver(given: string): Promise<string> {
    return given === 'sandbox' && core.sandbox ? (await core.sandbox.wallet()).connection('service') : given
  }
}

/** Dollars in decimal text as a value of a sentence. */
function usdValue(dollars: string): Value {
  const picoUsd = parseUsd(dollars)
  if (picoUsd === null) throw new SottoError('request/invalid')
  return { usd: picoUsd.toString() }
}

function questionOf({ publicKey: wallet, relays, alias }: WalletConnection): Said {
  const by = { wallet, relays: relays.join(', ') }
  return alias === undefined
    ? say('Connect the wallet {wallet} through {relays}? Sotto can then pay from it within your limits.', by)
    : say(
        'Connect the wallet {wallet} through {relays}? It calls itself “{alias}”. Sotto can then pay from it within your limits.',
        { ...by, alias: alias.slice(0, 40) },
      )
}

/** Asks as long as there is more in it than was asked for: the limits before can be lowered while the question waits. */
async function confirmHigher(
  before: () => SpendingLimitsText,
  after: SpendingLimitsText,
  ask: (more: Said) => Promise<void>,
): Promise<void> {
  for (let allowed: readonly string[] = []; ;) {
    const higher = raisings(before(), after)
    if (higher.every((each) => allowed.includes(inEnglish([each])))) return
    await ask(higher)
    allowed = higher.map((each) => inEnglish([each]))
  }
}
