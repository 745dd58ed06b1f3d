import type { RoutingReceiptFound } from './types.ts'

export function routingReceiptsOfHeaders(_get: (name: string) => string | null): RoutingReceiptFound {
  return { receipts: [], afterData: false }
}

export class RoutingReceiptReader {
  push(_chunk: Uint8Array): void {
    // Nothing is read yet.
  }

  found(): RoutingReceiptFound {
    return { receipts: [], afterData: false }
  }
}
