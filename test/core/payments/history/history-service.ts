import type { QueryRecord } from '../../../../src/core/gateway/service/account/read/history.ts'
import type { Fetch } from '../../../../src/shared/fetch.ts'
import { decimalUsd } from '../../../../src/shared/money.ts'

function wireOf({ at, model, inputTokens, outputTokens, cost, type, source, apiKeyId }: QueryRecord): string {
  const body = JSON.stringify({
    timestamp: new Date(at).toISOString(),
    model,
    input_count: inputTokens,
    output_count: outputTokens,
    query_type: type,
    query_source: source,
    api_key_id: apiKeyId,
  })
  return cost === undefined ? body : `${body.slice(0, -1)},"price_in_usd":${decimalUsd(cost)}}`
}

/** Answers as a service with these records, of which `key-1` made the request. @param records read with each request */
export function historyService(records: () => readonly QueryRecord[]): Fetch {
  return (url) => {
    const newest = records().toSorted((a, b) => b.at - a.at)
    const query = new URL(url).searchParams
    const [from, until, model] = [query.get('start_date'), query.get('end_date'), query.get('model')]
    const all = newest.filter((each) => {
      const day = new Date(each.at).toISOString().slice(0, 10)
      return (
        (query.get('all_keys') === 'true' || each.apiKeyId === 'key-1') &&
        (from === null || day >= from) &&
        (until === null || day <= until) &&
        (model === null || each.model === model)
      )
    })
    const [page, size] = [Number(query.get('page')), Number(query.get('page_count'))]
    const data = all.slice((page - 1) * size, page * size).map(wireOf)
    const text = `{"data":[${data.join(',')}],"pagination":{"page":${String(page)},"page_count":${String(size)},"total":${String(all.length)},"total_pages":${String(Math.ceil(all.length / size))}}}`
    return Promise.resolve({
      status: 200,
      headers: new Headers(),
      body: (async function* () {
        yield await Promise.resolve(Buffer.from(text))
      })(),
    })
  }
}
