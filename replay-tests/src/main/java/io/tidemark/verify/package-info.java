/**
 * {@code tidemark verify}: reads what a table's record says of its log, folds the log with the
 * oracle, and reports in what the table differs. Knows settings, brokers and catalogs. Of the code
 * that keeps tables it uses what {@code --repair} writes with, and never to compare; and, where a
 * job is let go on, what tells which records it does not apply: those a table may be without.
 */
@NullMarked
package io.tidemark.verify;

import org.jspecify.annotations.NullMarked;
