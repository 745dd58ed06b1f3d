// Runs the PDF reader in a separate thread. The thread ends with its document, so a hostile document harms nothing
// else.
import 'pdfjs-dist/build/pdf.worker.min.mjs'
