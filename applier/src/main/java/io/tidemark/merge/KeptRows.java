package io.tidemark.merge;

/**
 * What a gate needs to keep columns that a source leaves out.
 *
 * @param store where rows are kept that the source may leave columns out of
 * @param source where they are read from otherwise
 * @param keepFrom rows of at least so many bytes are put into the store, once the source has left
 *     out a column
 * @param refuseUnknown whether a row is refused when no change told one of its columns; else the
 *     column is null
 */
public record KeptRows(
    RowStore store, RowSource source, RowSplice splice, int keepFrom, boolean refuseUnknown) {}
