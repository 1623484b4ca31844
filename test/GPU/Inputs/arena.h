// The memory that a program gets by `new`, in one piece, so that a GPU can have all of it at once.
#ifndef ISOZYME_TEST_ARENA_H
#define ISOZYME_TEST_ARENA_H

#include <cstddef>

namespace arena {

char *begin();
/// Behind the last byte that was ever taken.
char *end();
inline bool contains(const void *P) { return P >= begin() && P < end(); }

/// A piece that is in use.
struct Piece {
  char *Start;
  size_t Bytes;
};
/// The one at or behind \p From; that none is left says a null pointer.
Piece nextPiece(char *From);
/// The one that \p P leads into.
Piece pieceOf(const void *P);

/// Memory that lies there in any case; `delete` takes it back.
char *take(size_t Bytes);

/// While there is one of these, `new` takes memory elsewhere.
struct Outside {
  Outside();
  ~Outside();
};

} // namespace arena

#endif
