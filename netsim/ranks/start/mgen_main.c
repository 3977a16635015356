/* SPDX-License-Identifier: Apache-2.0
   The main of programs that have none: those written for NSIM begin at MGEN_Main. */
extern int MGEN_Main(int argc, char** argv);

int main(int argc, char** argv) { return MGEN_Main(argc, argv); }
