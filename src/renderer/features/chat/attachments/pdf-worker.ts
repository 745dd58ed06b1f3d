// A thread of its own for what reads PDFs. It is ended with the document: whatever a hostile one does to it stays there.
import 'pdfjs-dist/build/pdf.worker.min.mjs'
