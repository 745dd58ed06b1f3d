import { reachedAlert, usableBudget } from '../../../shared/budget-use.ts'
import { SottoError } from '../../../shared/errors.ts'
import {
  readKeyLimits,
  writeKeyLimits,
  type KeyLimits,
  type KeyLimitsText,
} from '../../../shared/key-limits.ts'
import { widenings } from '../../../shared/key-widening.ts'
import { forbiddenAlias } from '../../../shared/model-pattern.ts'
import { sameKeyName, type LocalKeyView } from '../../../shared/local-key.ts'
import type { Receipt } from '../../../shared/receipt.ts'
import { renderEnglish, msg, type LocalizedText } from '../../../shared/localized-text.ts'
import type { Notice } from '../../../shared/status.ts'
import type { KeyBudgets, LimitClock } from '../../payments/index.ts'
import type { LocalKey, Store } from '../../storage/index.ts'
import { hashOfLocalKey, newLocalKey } from '../proxy/guards.ts'
import type { KeyActivity } from './key-activity.ts'

/** The longest duration of a budget increase. The end of a month can be a day later. */
const MOST_INCREASE_MS = 30 * 86_400_000

/** Asks for confirmation outside the window, and throws if the answer is no. */
type Ask = (question: LocalizedText) => Promise<void>

export interface LocalKeysOptions {
  readonly store: Pick<Store, 'localKeys' | 'keyUse' | 'projects'>
  readonly money: KeyBudgets['money']
  readonly activity: KeyActivity
  /** Unix ms. */
  readonly now: () => number
  /** Keeps expired keys expired and ended increases ended when the wall clock is set back. */
  readonly limitClock: Pick<LimitClock, 'read'>
  /** The secret of the first key, from the vault. */
  readonly firstSecret: string
  readonly keepFirst: (secret: string) => Promise<void>
  /** Secrets of the keys for tools that Sotto starts. The vault stores them by the key's name. */
  readonly toolSecrets: ToolSecrets
  /** Ends the connections of requests in progress with this key. */
  readonly endRequests: (keyId: string) => void
}

export interface ToolSecrets {
  /** @returns null if the vault has no secret of this name */
  get(name: string): Promise<string | null>
  set(name: string, secret: string): Promise<void>
}

/** The operations of the person who owns the local keys (contract/local-api). */
export interface LocalKeys {
  readonly activity: KeyActivity
  /** The first key's secret. */
  firstSecret(): string
  view(keyId: string): LocalKeyView
  list(): LocalKeyView[]
  create(
    input: { name: string; limits: KeyLimitsText },
    ask: Ask,
  ): Promise<{ key: LocalKeyView; secret: string }>
  /**
   * Returns the active key that an earlier call created under this name, or a new one. `limits` apply to a
   * new key.
   */
  forTool(
    input: { name: string; limits: KeyLimitsText },
    ask: Ask,
  ): Promise<{ key: LocalKeyView; secret: string }>
  update(
    input: { keyId: string; name?: string | undefined; limits?: KeyLimitsText | undefined },
    ask: Ask,
  ): Promise<LocalKeyView>
  /** @param input see contract/local-api */
  increase(
    input: { keyId: string; picoUsd: string; until?: number | undefined },
    ask: Ask,
  ): Promise<LocalKeyView>
  revoke(keyId: string): LocalKeyView
  rotate(): Promise<{ key: LocalKeyView; secret: string }>
  /** Notes that the receipt of a local key's request is written. */
  noteReceipt(receipt: Receipt): void
  /**
   * Returns a notice for each active key whose spending has reached the alert of its budget. The id changes
   * with the period.
   */
  notices(): Notice[]
}

/**
 * Creates the operations on local keys. Requires the first key's record, which adoptFirstKey creates.
 * @throws {SottoError} by its calls: local-key/unknown, local-key/revoked, local-key/name-taken,
 * project/unknown, local-key/first, local-key/alias-model, local-key/first-origins, local-key/no-budget,
 * local-key/increase-end, the errors of `ask`, and those of `keepFirst` if the vault can't save the first
 * key's secret
 */
export function createLocalKeys({
  store: { localKeys, keyUse, projects },
  money,
  activity,
  now,
  limitClock,
  keepFirst,
  toolSecrets,
  endRequests,
  ...options
}: LocalKeysOptions): LocalKeys {
  let { firstSecret } = options
  /** Two runs of a tool at the same time share its key: the second waits until the first has saved it. */
  let toolTurn: Promise<unknown> = Promise.resolve()

  function known(keyId: string): LocalKey {
    const key = localKeys.get(keyId)
    if (!key) throw new SottoError('local-key/unknown')
    return key
  }
  function live(keyId: string): LocalKey {
    const key = known(keyId)
    if (key.revokedAt !== undefined) throw new SottoError('local-key/revoked')
    return key
  }
  function first(): LocalKey {
    const key = localKeys.list().find((each) => each.first)
    if (!key) throw new SottoError('local-key/unknown')
    return key
  }
  function projectName(projectId: string): string {
    return projects.get(projectId)?.name ?? projectId
  }
  function requireProject({ serverTools }: KeyLimits): void {
    if (serverTools?.knowledge !== undefined && !projects.get(serverTools.knowledge))
      throw new SottoError('project/unknown')
  }
  /** A revoked key’s name is free again. */
  function requireFree(name: string, keyId?: string): void {
    if (
      localKeys
        .list()
        .some((key) => key.id !== keyId && key.revokedAt === undefined && sameKeyName(key.name, name))
    )
      throw new SottoError('local-key/name-taken')
  }
  function view(keyId: string): LocalKeyView {
    const { id, name, first, createdAt, limits, revokedAt } = known(keyId)
    const { spent, reserved, renewsAt, increase } = money(id)
    const use = keyUse.of(id)
    return {
      id,
      name,
      first,
      createdAt,
      state:
        revokedAt !== undefined
          ? 'revoked'
          : limits.expiresAt !== undefined && limitClock.read().at >= limits.expiresAt
            ? 'expired'
            : 'live',
      ...(revokedAt !== undefined && { revokedAt }),
      limits: writeKeyLimits(limits),
      spent: spent.toString(),
      held: reserved.toString(),
      ...(increase && { increase: { picoUsd: increase.picoUsd.toString(), until: increase.until } }),
      ...(renewsAt !== undefined && { renewsAt }),
      requests: use?.requests ?? 0,
      ...(use && { firstUsedAt: use.firstAt, lastUsedAt: use.lastAt }),
    }
  }
  function changed(keyId: string, patch: Parameters<Store['localKeys']['change']>[1]): LocalKeyView {
    localKeys.change(keyId, patch)
    activity.changed(keyId)
    return view(keyId)
  }

  async function create(
    { name, limits: text }: { name: string; limits: KeyLimitsText },
    ask: Ask,
    save?: (secret: string) => Promise<void>,
  ): Promise<{ key: LocalKeyView; secret: string }> {
    const limits = readKeyLimits(text)
    requireFree(name)
    requireUsable(limits, false)
    requireProject(limits)
    // The window shows the first key's secret, so the same permissions need no confirmation. No tool has the new secret yet, so its aliases change nothing.
    await confirmWider(
      () => ({ ...first().limits, ...(limits.aliases && { aliases: limits.aliases }) }),
      limits,
      projectName,
      (more) =>
        ask(
          msg('Create a local key “{name}” with more permissions than the first key: {more}?', {
            name,
            more,
          }),
        ),
    )
    requireFree(name)
    const { secret, hash } = newLocalKey()
    // A secret without a record has no effect. A record without a secret would occupy the name.
    await save?.(secret)
    requireFree(name)
    const { id } = localKeys.add({ name, hash, limits })
    activity.changed(id)
    return { key: view(id), secret }
  }
  async function savedToolKey(name: string): Promise<{ key: LocalKeyView; secret: string } | null> {
    const secret = await toolSecrets.get(name)
    const found = secret === null ? undefined : localKeys.findByHash(hashOfLocalKey(secret))
    if (secret === null || !found) return null
    const key = view(found.id)
    return key.state === 'live' ? { key, secret } : null
  }

  return {
    activity,
    firstSecret: () => firstSecret,
    view,
    list: () => localKeys.list().map(({ id }) => view(id)),
    create: (input, ask) => create(input, ask),
    forTool(input, ask) {
      const toolKey = toolTurn.then(
        async () =>
          (await savedToolKey(input.name)) ??
          create(input, ask, (secret) => toolSecrets.set(input.name, secret)),
      )
      toolTurn = toolKey.catch(() => undefined)
      return toolKey
    },
    async update({ keyId, name, limits: text }, ask) {
      const limits = text && readKeyLimits(text)
      const before = live(keyId)
      if (name !== undefined) requireFree(name, keyId)
      if (limits) requireUsable(limits, before.first)
      // A project that is deleted later stays in the limits, so that they can still be edited.
      if (limits && limits.serverTools?.knowledge !== before.limits.serverTools?.knowledge)
        requireProject(limits)
      if (limits)
        await confirmWider(
          () => live(keyId).limits,
          limits,
          projectName,
          (more) =>
            ask(
              msg('Expand the permissions of the local key “{name}”: {more}?', { name: before.name, more }),
            ),
        )
      if (name !== undefined) requireFree(name, keyId)
      const key = live(keyId)
      const sameBudget =
        !limits ||
        (limits.budget?.picoUsd === key.limits.budget?.picoUsd &&
          limits.budget?.period === key.limits.budget?.period)
      return changed(key.id, {
        ...(name !== undefined && { name }),
        ...(limits && { limits }),
        ...(!sameBudget && { increase: undefined }),
      })
    },
    async increase({ keyId, picoUsd: text, until: wanted }, ask) {
      const {
        name,
        limits: { budget },
      } = live(keyId)
      if (!budget) throw new SottoError('local-key/no-budget')
      const picoUsd = BigInt(text)
      if (picoUsd === 0n) return changed(keyId, { increase: undefined })
      const { at, resetAt } = limitClock.read()
      const latest = at + MOST_INCREASE_MS
      if (wanted !== undefined && (wanted <= at || wanted > latest))
        throw new SottoError('local-key/increase-end')
      const { renewsAt } = money(keyId)
      const until = wanted ?? renewsAt ?? latest
      const values = {
        name,
        amount: { usd: text },
        time: `${new Date(until).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
      }
      await ask(
        renewsAt !== undefined && until > renewsAt
          ? msg(
              'Increase the budget of the local key “{name}” by {amount} in each period until {time}?',
              values,
            )
          : msg('Increase the budget of the local key “{name}” by {amount} until {time}?', values),
      )
      const key = live(keyId)
      if (key.limits.budget?.picoUsd !== budget.picoUsd || key.limits.budget.period !== budget.period)
        throw new SottoError('local-key/no-budget')
      return changed(keyId, { increase: { picoUsd, until, clock: resetAt } })
    },
    revoke(keyId) {
      const key = known(keyId)
      if (key.first) throw new SottoError('local-key/first')
      if (key.revokedAt !== undefined) return view(keyId)
      const revoked = changed(keyId, { revokedAt: Math.trunc(now()) })
      // The key may be in the wrong hands: its requests in progress would otherwise go on costing money and
      // returning data.
      endRequests(keyId)
      return revoked
    },
    async rotate() {
      const { id } = first()
      const { secret, hash } = newLocalKey()
      // The vault is written first. If Sotto crashes in between, the next start adopts the new secret. In the
      // other order nobody could read the key.
      await keepFirst(secret)
      const key = changed(id, { hash })
      firstSecret = secret
      endRequests(id)
      return { key, secret }
    },
    noteReceipt(receipt) {
      const { localKeyId } = receipt.caller
      if (localKeyId === undefined) return
      keyUse.note(localKeyId, receipt.at)
      activity.ended(receipt)
      activity.changed(localKeyId)
    },
    notices: () =>
      localKeys.list().flatMap(({ id, name, limits: { budget, expiresAt }, revokedAt }) => {
        if (
          budget?.alertPercent === undefined ||
          revokedAt !== undefined ||
          (expiresAt !== undefined && limitClock.read().at >= expiresAt)
        )
          return []
        const use = { budget, ...money(id) }
        const percent = reachedAlert(use)
        if (percent === undefined) return []
        const text = msg('The local key “{name}” has spent {percent}% of its budget of {whole}.', {
          name,
          percent,
          whole: { usd: usableBudget(use).toString() },
        })
        return [{ id: `key-budget-${id}-${String(use.renewsAt ?? 0)}`, says: text, lasting: false }]
      }),
  }
}

/** @throws {SottoError} local-key/alias-model, local-key/first-origins */
function requireUsable(limits: KeyLimits, first: boolean): void {
  if (forbiddenAlias(limits)) throw new SottoError('local-key/alias-model')
  if (first && limits.origins) throw new SottoError('local-key/first-origins')
}

/**
 * Asks until the person has allowed every widening, because the earlier limits can be lowered while a
 * question waits.
 */
async function confirmWider(
  before: () => KeyLimits,
  after: KeyLimits,
  projectName: (projectId: string) => string,
  ask: Ask,
): Promise<void> {
  for (let allowed: readonly string[] = []; ;) {
    const wider = widenings(before(), after, projectName)
    if (wider.every((each) => allowed.includes(renderEnglish([each])))) return
    await ask(wider)
    allowed = wider.map((each) => renderEnglish([each]))
  }
}

/**
 * Makes the record of the first key match the secret in the vault. The secret may have been rotated from
 * another profile, or by a process that ended before it updated the record. The record then gets the new hash
 * and its limits remain.
 */
export function adoptFirstKey(localKeys: Store['localKeys'], hash: string): void {
  const known = localKeys.findByHash(hash)
  const first = localKeys.list().find((key) => key.first)
  if (known) {
    if (!known.first) localKeys.change(known.id, { first: true })
  } else if (first) localKeys.change(first.id, { hash })
  else localKeys.add({ name: 'First key', hash, first: true })
}
