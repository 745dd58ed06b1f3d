export const batchExportForms = ['csv', 'json'] as const
export const embeddingExportForms = ['csv', 'json', 'npy', 'parquet'] as const
