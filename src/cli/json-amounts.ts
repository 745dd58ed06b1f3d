import type { KeyWithAmounts, SharedReceipt } from '../replica/index.ts'
import type { DataEndpoint } from '../shared/contract/purchases.ts'
import type { Job, JobEstimate, JobMatch } from '../shared/job.ts'
import type { LocalKeyView } from '../shared/local-key.ts'
import type { Model } from '../shared/model.ts'
import { decimalUsd } from '../shared/money.ts'
import type { PriceTable } from '../shared/price-table.ts'
import type { Purchase } from '../shared/purchase.ts'
import type { Wallet } from '../shared/wallet.ts'

/**
 * The values of the contract as `--json` prints them. Inside Sotto, pico-USD and msat are the only units of their kind,
 * so members don't name them. A program outside can't know that: here each amount names its unit.
 */

function usd(picoUsd: string): string {
  return decimalUsd(BigInt(picoUsd))
}

function range({ least, most }: { readonly least: string; readonly most: string }): object {
  return { leastUsd: usd(least), mostUsd: usd(most) }
}

/** @param remaining pico-USD; absent without a budget */
export function keyJson({ spent, held, increase, limits, ...key }: LocalKeyView, remaining?: bigint): object {
  return {
    ...key,
    limits: limitsJson(limits),
    spentUsd: usd(spent),
    reservedUsd: usd(held),
    ...(remaining !== undefined && { remainingUsd: decimalUsd(remaining) }),
    ...(increase && { increase: { usd: usd(increase.picoUsd), until: increase.until } }),
  }
}

/** A receipt that replicas share. */
export function sharedReceiptJson({ keyName, receipt }: SharedReceipt): object {
  const { estimate, cost, listedCost, charged, confirmed, ...others } = receipt
  return {
    ...others,
    keyName,
    ...(estimate && { estimate: range(estimate) }),
    ...(cost !== undefined && { costUsd: usd(cost) }),
    ...(listedCost !== undefined && { listedCostUsd: usd(listedCost) }),
    ...(charged !== undefined && { chargedUsd: usd(charged) }),
    ...(confirmed && { confirmed: { costUsd: usd(confirmed.cost), recordAt: confirmed.recordAt } }),
  }
}

/** A local key that replicas share. Its hash isn't printed. */
export function sharedKeyJson({ hash: _, limits, spent, reserved, ...key }: KeyWithAmounts): object {
  return {
    ...key,
    limits: limitsJson(limits),
    spentUsd: decimalUsd(spent),
    reservedUsd: decimalUsd(reserved),
  }
}

function limitsJson({ budget, ...others }: LocalKeyView['limits'] | KeyWithAmounts['limits']): object {
  const { picoUsd, ...rules } = budget ?? {}
  return {
    ...(picoUsd !== undefined && { budget: { usd: decimalUsd(BigInt(picoUsd)), ...rules } }),
    ...others,
  }
}

/** A job: dollars for its price, msat for what was paid over Lightning. */
export function jobJson({ estimate, cost, purchase, ask, ...job }: Job): object {
  return {
    ...job,
    ask: 'most' in ask ? withoutMost(ask) : ask,
    ...(estimate && { estimate: range(estimate) }),
    ...(cost !== undefined && { costUsd: usd(cost) }),
    ...(purchase && { purchase: purchaseJson(purchase) }),
  }
}

function withoutMost({ most, ...ask }: { readonly most?: string | undefined }): object {
  return { ...ask, ...(most !== undefined && { mostUsd: usd(most) }) }
}

/** An estimate. `cost` is null if it is unknown. */
export function estimateJson({ cost, ...estimate }: JobEstimate): object {
  return { ...estimate, cost: cost && range(cost) }
}

/** A record that may belong to a job. */
export function matchJson({ cost, ...match }: JobMatch): object {
  return { ...match, ...(cost !== undefined && { costUsd: usd(cost) }) }
}

/** A request that was paid over Lightning. */
export function purchaseJson({ worth, listed, ...purchase }: Purchase): object {
  return {
    ...purchase,
    ...(worth !== undefined && { worthUsd: usd(worth) }),
    ...(listed !== undefined && { listedUsd: usd(listed) }),
  }
}

/** The Lightning wallet. */
export function walletJson({ limits, spent, hosts, rate, ...wallet }: Wallet): object {
  return {
    ...wallet,
    limits: {
      perPaymentMsat: limits.perPayment,
      perDayMsat: limits.perDay,
      perHostAndDayMsat: limits.perHostAndDay,
      automaticUpToMsat: limits.automaticUpTo,
    },
    spent: { dayMsat: spent.day, heldMsat: spent.held },
    hosts: hosts.map(({ spentInDay, ...host }) => ({ ...host, spentInDayMsat: spentInDay })),
    ...(rate && { rate: { usdPerSat: usd(rate.picoUsdPerSat), learnedAt: rate.learnedAt } }),
  }
}

/** A model with its listed prices. */
export function modelJson(model: Model): object {
  const { inputPerMillion, outputPerMillion, averageCost, webSearch, mediaPrice, ...others } = model
  return {
    ...others,
    ...(inputPerMillion !== undefined && { inputUsdPerMillion: usd(inputPerMillion) }),
    ...(outputPerMillion !== undefined && { outputUsdPerMillion: usd(outputPerMillion) }),
    ...(averageCost !== undefined && { averageCostUsd: usd(averageCost) }),
    ...(webSearch !== undefined && { webSearchUsd: usd(webSearch) }),
    ...(mediaPrice && {
      mediaPrice: {
        ...(mediaPrice.base !== undefined && { baseUsd: usd(mediaPrice.base) }),
        ...(mediaPrice.perSecond !== undefined && { usdPerSecond: usd(mediaPrice.perSecond) }),
        tables: mediaPrice.tables.map(priceTableJson),
      },
    }),
  }
}

function priceTableJson(table: PriceTable): object {
  if (typeof table === 'string') return { usd: usd(table) }
  const { by, of } = table
  return {
    ...(by !== undefined && { by }),
    of: Object.fromEntries(Object.entries(of).map(([value, price]) => [value, priceTableJson(price)])),
  }
}

/** A model that speaks. */
export function voiceModelJson({
  price,
  ...model
}: {
  readonly id: string
  readonly name: string
  readonly price?: { readonly amount: string; readonly per?: string | undefined } | undefined
}): object {
  return {
    ...model,
    ...(price && { price: { usd: usd(price.amount), ...(price.per && { per: price.per }) } }),
  }
}

/** A lookup with the price of one call. */
export function endpointJson({ price, ...endpoint }: DataEndpoint): object {
  return { ...endpoint, ...(price !== undefined && { priceUsd: usd(price) }) }
}
